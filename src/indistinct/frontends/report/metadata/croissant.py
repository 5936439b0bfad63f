"""A release as Croissant 1.1, with terms of DPV for what was done and PROV-O for where it is from.

Nothing in it comes from the original but what the public manifest says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from indistinct.frontends.report.metadata.columns import DescribedColumn, MetadataType
from indistinct.frontends.report.promises import promises
from indistinct.tables.masks import Protection
from indistinct.tables.policy import Policy

# For models that DPV has no term for; docs/reports.md lists them.
OWN_TERMS = "urn:x-indistinct:terms:"
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "dpv": "https://w3id.org/dpv#",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "ind": OWN_TERMS,
    "ind:statements": {"@type": "@json"},
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TYPES = {
    MetadataType.WHOLE: "sc:Integer",
    MetadataType.NUMBER: "sc:Float",
    MetadataType.DATE: "sc:Date",
    MetadataType.TRUTH: "sc:Boolean",
    MetadataType.TEXT: "sc:Text",
}
FORMATS = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "parquet": "application/x-parquet",
    "arrow": "application/vnd.apache.arrow.file",
}
PSEUDONYM = "pseudonym"
STATEMENTS = "ind:statements"


def croissant(
    file: str,
    file_format: str,
    columns: Sequence[DescribedColumn],
    policy: Policy,
    manifest: Mapping[str, Any],
) -> dict[str, Any]:
    """Describe a written release.

    Parameters
    ----------
    file, file_format : name of the released file, and the name of its format
    columns : of the released file
    manifest : the public one, with the hash of the file
    """
    return {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": file,
        "description": _description(promises(policy), manifest),
        "url": file,
        "version": "1.0.0",
        "citeAs": f"{file}, SHA-256 {manifest['output']['sha256']}",
        "distribution": [_file(file, file_format, manifest)],
        "recordSet": [_records(file, columns)],
        "dpv:hasTechnicalMeasure": _measures(
            policy.protections, manifest, has_models=bool(policy.models)
        ),
        "prov:wasDerivedFrom": {
            "@id": f"{OWN_TERMS}original:{manifest['input']['fingerprint']}",
            "@type": "prov:Entity",
        },
        "prov:wasGeneratedBy": _activity(manifest),
        STATEMENTS: manifest["statements"],
    }


def _description(sentences: Iterable[str], manifest: Mapping[str, Any]) -> str:
    """Return what the release promises."""
    records = f"A protected release of {manifest['output']['rows']:,} records."
    return " ".join([records, *sentences])


def _file(file: str, file_format: str, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the released file."""
    return {
        "@type": "cr:FileObject",
        "@id": file,
        "name": file,
        "contentUrl": file,
        "encodingFormat": FORMATS.get(file_format, "application/octet-stream"),
        "sha256": manifest["output"]["sha256"],
    }


def _records(file: str, columns: Sequence[DescribedColumn]) -> dict[str, Any]:
    """Describe the records."""
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"records/{number}",
            "name": column.name,
            "description": column.about,
            "dataType": TYPES[column.kind],
            "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
        }
        for number, column in enumerate(columns)
    ]
    return {"@type": "cr:RecordSet", "@id": "records", "name": "records", "field": fields}


def _measures(
    protections: Mapping[str, Protection], manifest: Mapping[str, Any], *, has_models: bool
) -> list[dict[str, Any]]:
    """Name what was done by DPV's terms, and by our own where DPV has none."""
    measures: list[dict[str, Any]] = [{"@type": "dpv:Anonymisation"}] if has_models else []
    measures += [
        {
            "@type": f"{OWN_TERMS}{model['name']}",
            **{f"ind:{name}": value for name, value in model["required"].items()},
        }
        for model in manifest["models"]
    ]
    for name, protection in protections.items():
        is_known = protection.name == PSEUDONYM
        term = "dpv:Pseudonymisation" if is_known else f"{OWN_TERMS}{protection.name}"
        measures.append({"@type": term, "ind:column": name})
    return measures


def _activity(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what made the release."""
    method = manifest["method"]
    return {
        "@type": "prov:Activity",
        "ind:algorithm": method["algorithm"],
        "prov:wasAssociatedWith": {
            "@id": f"{OWN_TERMS}indistinct",
            "@type": "prov:SoftwareAgent",
            "ind:version": manifest["indistinct"],
        },
    }
