"""Plans whose rows are made by Spark, or by processes of this machine, and kept in batches; and corpora of them."""
