"""Columns whose cells are sets of items: km-anonymity by cuts of the items' hierarchy."""

PRICED_CUT, PARTITION, APRIORI = "priced-cut", "partition", "apriori"
SET_ALGORITHMS = (PRICED_CUT, PARTITION, APRIORI)
