import json, os, sys, time, threading, hashlib
from multiprocessing import get_context
from pathlib import Path
T0 = time.time()
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools/nets")] + ([] if os.environ.get("NOSITE") else [str(ROOT / "device/site")])
os.environ["KIBITZ_TARGET"] = "native"
for v in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"): os.environ[v] = "4"
import numpy as np
import kalamala as K
OUT = Path(os.environ["OUT"])
PROCS = int(os.environ.get("PROCS", 16)); SCALE = float(os.environ.get("SCALE", 1)); LIMIT = float(os.environ.get("LIMIT", 570))
def say(*a):
    line = "[%.0f] " % (time.time() - T0) + " ".join(map(str, a)); print(line, flush=True); open(OUT / "log.txt", "a").write(line + "\n")
def left(): return LIMIT - (time.time() - T0)
def gen(pool, parent, seconds, seed):
    end, games, parts, n = time.time() + seconds, 0, [], seed
    while time.time() < end:
        jobs = [(parent, range(n + 2 * i, n + 2 * i + 2), K.NODES) for i in range(PROCS * 10 if SCALE >= 1 else 2)]
        n += 2 * len(jobs)
        parts += list(pool.imap_unordered(K._games, jobs) if SCALE < 0 else pool.imap(K._games, jobs))
    found = np.concatenate(parts)
    say("gen", json.dumps(dict(parent=Path(parent.partition(":")[0]).name + ":" + parent.partition(":")[2], seed=seed, games=n - seed, positions=len(found), seconds=round(time.time() - end + seconds, 1), digest=hashlib.sha256(found.tobytes()).hexdigest())))
    return found
def match(pool, a, b, ms, games, seconds, seed=1):
    if left() < 8: return {}
    plan = K.MatchPlan((a, b), ms, 0, seed, time.time() + min(seconds, left() - 6)); t = time.time()
    pairs = [p for p in pool.imap_unordered(K.play_pair, [(plan, i) for i in range(max(2, int(games * SCALE) // 2))]) if p]
    s = K.summary(plan, pairs); s["wall"] = round(time.time() - t, 1)
    s["players"] = [x.replace(str(OUT), "") for x in s["players"]]
    say("match", json.dumps(s)); return s
class Matches(threading.Thread):
    """Variants while the card fits."""
    def __init__(self, pool, todo): super().__init__(); self.pool, self.todo = pool, todo; self.start()
    def run(self):
        for a in self.todo: match(self.pool, *a)
def torch_fit(examples, epochs, seed=0, batch=4096):
    import torch, math
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    w = {k: torch.tensor(np.asarray(v), device=dev, requires_grad=True) for k, v in K.first_weights(np, seed).items()}
    rows = torch.as_tensor(examples.rows.astype(np.int32), device=dev); tg = torch.as_tensor(examples.targets, device=dev)
    held = max(1, len(tg) // K.HELD_OUT); learned = len(tg) - held; batch = min(batch, learned); steps = learned // batch * epochs
    opt = torch.optim.Adam(w.values(), lr=K.RATE); i = 0
    def logits(r):
        s = torch.nn.functional.embedding_bag(r.long(), w["rows"], mode="sum"); f = torch.relu(s[:, 1:])
        return s[:, 0] + torch.relu(f @ w["second"] + w["second_bias"]) @ w["third"]
    for e in range(epochs):
        order = torch.randperm(learned, device=dev)
        for b in range(0, learned - batch + 1, batch):
            for g in opt.param_groups: g["lr"] = K.RATE * .5 * (1 + math.cos(math.pi * i / steps))
            i += 1; c = order[b:b + batch]; z = logits(rows[c])
            loss = torch.nn.functional.binary_cross_entropy_with_logits(z, tg[c]) + 3e-6 * sum((v * v).sum() for v in w.values())
            opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        z = torch.cat([logits(rows[n:n + batch]) for n in range(learned, len(tg), batch)]); l = float(torch.nn.functional.binary_cross_entropy_with_logits(z, tg[learned:]))
    return l, {k: v.detach().cpu().numpy() for k, v in w.items()}
def fit(parts, name, epochs):
    t = time.time(); pos = K.learnable(np.concatenate(parts)); tg = K.target_chances(pos); h = slice(len(tg) - max(1, len(tg) // K.HELD_OUT), None)
    before = K.cross_entropy(np, pos["static"][h] / K.net.SCALE, tg[h]); ent = float(-np.mean(tg[h] * np.log(tg[h] + 1e-9) + (1 - tg[h]) * np.log(1 - tg[h] + 1e-9)))
    ex = K.Examples(K.row_numbers(pos), tg); t1 = time.time()
    after, w = (K.fit_weights if FITTER == "xp" else torch_fit)(ex, epochs)
    path = OUT / (name + ".npz"); np.savez_compressed(path, **K.rounded(w))
    say("fit", json.dumps(dict(name=name, positions=sum(map(len, parts)), learned=len(pos), before=round(before, 5), after=round(after, 5), entropy=round(ent, 5), prep=round(t1 - t, 1), seconds=round(time.time() - t1, 1), bytes=path.stat().st_size, max={k: float(abs(v).max()) for k, v in w.items()}, digest=hashlib.sha256(path.read_bytes()).hexdigest())))
    return str(path)
FITTER = "torch"
def check():
    global FITTER
    if os.environ.get('NOSITE'): FITTER = 'torch'; return
    xp = K.array_module()
    say("array module", xp.__name__)
    try:
        rng = np.random.default_rng(0); r = rng.integers(0, 18000, (40000, 41)).astype(np.int16); t = rng.random(40000).astype(np.float32)
        a = time.time(); K.fit_weights(K.Examples(r, t), 2); say("tried the fit", round(time.time() - a, 1))
        a = time.time(); K.fit_weights(K.Examples(r, t), 25); per = (time.time() - a) / 50; say("s a batch", round(per, 5))
        if xp is np or per > 0.012: FITTER = "torch"
    except Exception as e:
        say("failed", repr(e)); FITTER = "torch"
    say("fitter", FITTER)
