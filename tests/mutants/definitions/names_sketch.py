"""The first cause of definition mutants: a sketch; argument: how many, and the file that it writes."""
import sys, collections, json
from tests.mutants.definitions.runner import pairs_by_message
from tests.mutants.definitions.suite import covering, trials_of, _adapter, _rank
from tests.mutants.definitions.table import EQUIVALENT, read_table
from conformance.engine.subject import WAYS
from conformance.findings.causes import causes_of
from conformance.findings.finding import Findings
from conformance.findings.violations import Violation
from conformance.checks.registry import BODIES, run_message
from conformance.implementation.session import Session
from conformance.implementation.driver import Implementation
from reference import load_release
jobs = pairs_by_message(())
eq = {e.key for e in read_table() if e.verdict == EQUIVALENT}
trials = covering(trials_of((p for ps in jobs for p in ps), eq))
print(len(trials), file=sys.stderr)
n=int(sys.argv[1])
trials = sorted(trials, key=_rank)[:n]
out=open(sys.argv[2],"w")
for t in trials:
    schema, release = t.mutant.schema, load_release(t.mutant.release)
    s=Session(Implementation(_adapter(t)), release)
    f=Findings()
    for e in run_message(s, schema, frozenset({BODIES})):
        if isinstance(e, Violation): f.add(e)
    cs=causes_of(f.ordered(), WAYS)
    k=t.mutant.kind
    out.write(json.dumps({"prop":k.property,"change":k.change,"exp":k.exposure,"dir":t.direction,"type":t.mutant.place.field.type,"path":t.mutant.place.path,"schema":str(schema),"release":t.mutant.release,"mutant":str(t.mutant),
      "causes":[[c.finding.rule,c.finding.outcome,c.finding.key.cluster,list(c.finding.totals)[:6],c.finding.example.case.name,[(l.finding.rule,l.finding.outcome,l.why) for l in c.followers]] for c in cs]})+"\n"); out.flush()
