"""Jobs on Spark, and corpora of millions of rows.

The golden vectors are one of these jobs. They take too long for one process.
"""
