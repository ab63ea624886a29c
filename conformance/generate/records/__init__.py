"""Values and bytes of `records` fields: edge values, random ones, those that must be refused, and damaged bytes."""
