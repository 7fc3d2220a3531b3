from rounds import *
if __name__ == "__main__":
    S = float(os.environ.get("TIME", 1))
    pool = get_context("spawn").Pool(PROCS)
    B = ":margin=80,margin_depth=4"; R = B + ",reduction=1"
    n0 = str(ROOT / "net3.npz"); old = np.concatenate([np.load(f)["positions"] for f in sorted((ROOT / "data").glob("h*.npz"))]) if S == 1 else np.zeros(0, K.POSITION)
    match(pool, n0 + R, "hand", 20, 400, 24)
    g1 = gen(pool, n0 + R, 150 * S, 20_000_000)
    m = Matches(pool, [(n0 + R + ",null_depth=3", n0 + R, 10, 500, 15), (n0 + R + ",hopeless=120", n0 + R, 10, 500, 15), (n0 + R + ",malus=1", n0 + R, 10, 500, 15)])
    n1 = fit([old, g1], "n1", 20); m.join()
    match(pool, n1 + R, n0 + R, 20, 400, 22)
    g2 = gen(pool, n1 + R, 150 * S, 30_000_000)
    m = Matches(pool, [(n1 + R + ",late=4", n1 + R, 10, 500, 15), (n1 + R + ",iir=4", n1 + R, 10, 500, 15), (n1 + B + ",reduction=2", n1 + R, 10, 500, 15), (n1 + R + ",keep=1", n1 + R, 10, 500, 15)])
    n2 = fit([g1, g2], "n2", 20); m.join()
    match(pool, n2 + R, n1 + R, 20, 400, 22)
    match(pool, n2 + R, "hand", 100, 400, 90)
    say("done"); pool.terminate()
