"""The share of definition mutants whose first cause names field and property: a sketch; argument: the file."""
import json,sys,collections
rows=[json.loads(l) for l in open(sys.argv[1])]
def rules(p):
    return {"nullable":("null.","struct.marker","struct.tagged-marker"),"presence":("version.field-presence","tag.non-default","tag.known"),"tagged":("version.field-presence",),"order":("struct.field-order",),"tag":("tag.number",),
    "compact":("string.","bytes.","array.","records."),"type":("int.","value.","string.","bytes.","array.c","uuid","bool","float","records","number"),"default":("default.","tag.default","tag.non-default","ignorable."),"ignorable":("ignorable.",),"map key":("array.map",)}[p]
tot=collections.Counter(); ok=collections.Counter(); one=collections.Counter(); bad=[]
for r in rows:
    k=(r["prop"],r["dir"]); tot[k]+=1
    if not r["causes"]: bad.append((r,"nothing")); continue
    h=r["causes"][0]; heads=[x.replace("[]","") for x in h[3]]; p=r["path"]
    at = any(x==p or x.startswith(p+".") for x in heads)
    good = at and h[0].startswith(rules(r["prop"]))
    ok[k]+=good; one[k]+=len(r["causes"])==1
    if not good: bad.append((r,(h[0],h[1],h[2][:40],h[3][:2])))
for k in sorted(tot): print(k, tot[k], ok[k], one[k])
print(sum(tot.values()), sum(ok.values()), sum(one.values()))
if len(sys.argv)>2:
    for r,h in bad:
        if r["prop"] in sys.argv[2]: print(r["mutant"],r["dir"],h,len(r["causes"]))
