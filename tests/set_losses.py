"""What published sets lose, from the definition, occurrence by occurrence."""


def loss_of(tree, records, published):
    """Return the mean penalty of the occurrences, and how many were left out.

    Source: terrovitis2011, NCP: an occurrence costs nothing as itself, 1 where no label covers it,
    else the share of items under its label.

    Parameters
    ----------
    published : per record, unrelated nodes
    """
    penalties = tree.penalties
    total, gone = 0.0, 0
    for items, labels in zip(records.sets(), published, strict=True):
        owners = {
            item: label
            for label in labels
            for item in items
            if label <= item < int(tree.ends[label])
        }
        gone += len(items) - len(owners)
        total += sum(float(penalties[label]) for label in owners.values())
    n = max(records.n_occurrences, 1)
    return (total + gone) / n, gone
