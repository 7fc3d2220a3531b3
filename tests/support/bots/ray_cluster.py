"""A Ray cluster of two nodes on this machine; a line on standard input kills the second one.

The nodes are processes of their own, each with its store and its workers, as on two machines.
"""

import sys
from typing import Any

import ray.cluster_utils


def main() -> None:
    made: Any = ray.cluster_utils.Cluster
    cluster = made(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    print(cluster.address, flush=True)
    sys.stdin.readline()
    cluster.remove_node(second, allow_graceful=False)
    print("gone", flush=True)
    sys.stdin.readline()
    cluster.shutdown()


if __name__ == "__main__":
    main()
