"""Campaigns, runs of many cases for minutes or nights, in processes or on Spark.

A campaign takes implementations, or the reference alone, and a plan of cases. It gives outcomes as Parquet, findings
and histories. `pipeline` has the engines, the batches, and corpora; `proof` has the comparison with Apache Kafka's
classes.
"""
