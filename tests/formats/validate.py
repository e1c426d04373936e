"""Reads reports with libraries and schemas of others.

    validate.py junit SCHEMA FILE..     an XML schema of JUnit's reports
    validate.py json SCHEMA FILE..      a JSON schema
    validate.py itf FILE..              Informal Trace Format, with itf-py
"""

import json
import sys


def junit(schema, *files):
    from lxml import etree

    rules = etree.XMLSchema(etree.parse(schema))
    for file in files:
        rules.assertValid(etree.parse(file))


def schema(schema, *files):
    import jsonschema

    with open(schema, encoding="utf-8") as text:
        rules = json.load(text)
    kind = jsonschema.validators.validator_for(rules)
    kind.check_schema(rules)
    checker = kind(rules, format_checker=kind.FORMAT_CHECKER)
    for file in files:
        with open(file, encoding="utf-8") as text:
            checker.validate(json.load(text))


def itf(*files):
    import itf_py

    for file in files:
        with open(file, encoding="utf-8") as text:
            written = json.load(text)
        trace = itf_py.trace_from_json(written)
        assert len(trace.states) == len(written["states"]) > 0, file
        assert trace.loop == written.get("loop"), file
        for state in trace.states:
            assert set(state.values) == set(trace.vars), file
        # Written once more it says the same.
        again = itf_py.trace_to_json(trace)
        assert itf_py.trace_from_json(again).states == trace.states, file


{"junit": junit, "json": schema, "itf": itf}[sys.argv[1]](*sys.argv[2:])
