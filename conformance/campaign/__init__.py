"""Campaigns: work on many cases that takes minutes to nights, in processes or on Spark.

Takes implementations, or the reference alone, and a plan of cases; gives outcomes as Parquet, findings and histories.
`spark` has what all jobs share and corpora, `proof` the comparison with Apache Kafka's classes.
"""
