"""Columns of the inputs, and public files: schemas of the columns, and lists."""
import json

HEADER = "id,id2,age,income,ill,region,w,eps,a,b,frac,x"
NAMES = HEADER.split(",")
# Short cells are kept by place: these two share one, and their first 8 bytes.
ALIKE = ["20200107T005000", "20200107T060300"]
SCHEMA = {
    "id2": {"type": "date", "constraints": {
        "minimum": "2024-01-01", "maximum": "2024-06-30"}},
    "age": {"type": "number", "constraints": {"minimum": 0, "maximum": 100}},
    "income": {"type": "integer", "constraints": {
        "minimum": -100, "maximum": 1000}},
    "ill": {"type": "boolean", "trueValues": ["1"], "falseValues": ["0"]},
    "region": {"type": "string", "constraints": {"enum": ["N", "S", "Z"]}}}
# Schemas of the same columns: types, limits, codes, keys; who is a person and
# what records weigh are privacy's.  A crossed one reads one word in two ways.
FIELDS = """{"name": "id", "type": "string"}, {"name": "id2"},
{"name": "age", "type": "integer", "missingValues": ["", "50"],
 "constraints": {"minimum": 0, "maximum": 100, "required": true}},
{"name": "income", "type": "number", "bareNumber": false,
 "constraints": {"minimum": 0, "maximum": 1000}},
{"name": "ill", "type": "boolean"},
{"name": "region", "type": "string",
 "constraints": {"enum": ["N", "S", "Z"]}},
{"name": "w"}, {"name": "eps"}, {"name": "a"}, {"name": "b"},
{"name": "frac", "type": "number",
 "constraints": {"minimum": 0, "maximum": 1}},
{"name": "x", "type": "integer", "constraints": {"minimum": 0, "maximum": 3}}"""
PRIVACY = {"typed": "", "weighted": '"samplingWeight": "frac", "most": 2',
           "folded": '"unit": "id", "per": "mean", "maxGroups": 2',
           "kept": '"unit": "id", "maxRows": 2', "crossed": "", "headless": ""}
CROSSED = {
    "frac": {"type": "boolean", "trueValues": ["0"], "falseValues": ["1"]},
    "x": {"type": "integer", "decimalChar": ",",
          "constraints": {"minimum": 0, "maximum": 3}},
    "id2": {"type": "datetime", "format": "%Y%m%dT%H%M%S", "constraints":
            dict(zip(("minimum", "maximum"), ALIKE))}}


def schema(name):
    own = CROSSED if name == "crossed" else {}
    return json.dumps({
        "privacy": json.loads("{%s}" % PRIVACY[name]),
        "dialect": {"header": name != "headless"}, "fields": [
            {"name": x["name"], **own[x["name"]]} if x["name"] in own else x
            for x in json.loads("[%s]" % FIELDS)]})


PUBLIC = {**{name: schema(name) for name in PRIVACY},
          "coded": json.dumps({"fields": [
              {"name": n, "missingValues": ["", "none"]} for n in NAMES]}),
          "unquoted": json.dumps({"dialect": {"quoteChar": ""}, "fields": [
              {"name": n} for n in NAMES]}),
          "keys": "N\nS\nKentucky103\n", "ages": "0\n9\n100\n",
          "ids": "ann\nbob\nzoe\n",
          "pairs": "region,ill\nN,1\nN,0\nS,1\n",
          "towns": "region,x\nN,0\nS,1\nE,3\n",
          "queries": "p,q\n1,0\n0,1\n1,1\n", "schema": json.dumps({
              "missingValues": ["", "old"], "fields": [
                  {"name": n, "type": "any", **SCHEMA.get(n, {})}
                  for n in NAMES]})}
