from rounds import *
if __name__ == "__main__":
    pool = get_context("spawn").Pool(PROCS); net = str(ROOT / sys.argv[1]); ms = float(sys.argv[2])
    match(pool, net + ":margin=80,margin_depth=4,reduction=1", "hand", ms, 400, LIMIT - 20); pool.terminate()
