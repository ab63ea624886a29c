"""Programs of others: how they are started, watched and ended, with all that they have started themselves."""
