"""Campaigns: many cases on many implementations, as a job of Spark, with every outcome kept as Parquet.

plan.py divides the work into parts, kernel.py runs one part in a process that guard.py watches, folder.py keeps what
came of it, engines.py runs the parts on Spark or in processes, distil.py looks for the smallest case of each finding,
comparison.py and history.py say what the outcomes show.
"""
