"""Batches on a graphics card, as far as a machine without one can tell.

`tools/cuda_batch.py` compares them with the processor's on a card (docs/learning.md).
"""

from __future__ import annotations

import ctypes
from typing import Any, cast

import numpy as np
import pytest

from kibitz.core.kernel import Kernel
from kibitz.core.targets import PYTHON
from kibitz.core.targets.cuda import Ptx, batch_ptx_of, batch_threads_of
from kibitz.learn import Batch, cuda
from kibitz.learn.cuda_driver import (
    CAPSULE_NAME,
    CudaArray,
    CudaError,
    _alive,
    _DlManagedTensor,
    _flat_values,
)
from support.targets.matches import NAMES, kernel_of


class Memory:
    """A card whose memory is this machine's."""

    number = 0

    def __init__(self) -> None:
        self.blocks: dict[int, Any] = {}

    def allocate(self, size: int) -> int:
        block = ctypes.create_string_buffer(size)
        self.blocks[ctypes.addressof(block)] = block
        return ctypes.addressof(block)

    def free(self, at: int) -> None:
        del self.blocks[at]

    def make_current(self) -> None: ...
    def synchronize(self) -> None: ...

    def clear(self, at: int, size: int) -> None:
        ctypes.memset(at, 0, size)

    def copy(self, target: int, source: int, size: int) -> None:
        ctypes.memmove(target, source, size)

    def upload(self, at: int, host: Any) -> None:
        ctypes.memmove(at, host.ctypes.data, host.nbytes)

    def download(self, host: Any, at: int) -> None:
        ctypes.memmove(host.ctypes.data, at, host.nbytes)


class PythonCard(Memory):
    """A card whose threads run one after another, as plain Python."""

    capability = (9, 0)

    def __init__(self, kernel: Kernel) -> None:
        super().__init__()
        self.kernel, self.thread = kernel, 0
        self.bodies = batch_threads_of(kernel, lambda axes: self.thread, PYTHON)

    def function(self, text: str, entry: str) -> str:
        return entry

    def bind(self, function: str, threads: int, values: tuple[CudaArray, ...]) -> Any:
        arrays = [self._array(value) for value in values]

        def launch() -> None:
            for self.thread in range(threads + 5):  # The last block is not full.
                with np.errstate(over="ignore"):
                    self.bodies[function](*arrays)

        return launch

    def _array(self, value: CudaArray) -> Any:
        records = {each.itemsize: each for each in (self.kernel.state, self.kernel.options)}
        plain = value.dtype if value.dtype.kind != "V" else records[value.dtype.itemsize]
        memory = (ctypes.c_char * value.nbytes).from_address(value.at)
        found = np.ndarray(value.shape, plain, memory, strides=value.strides)
        return found.view(np.recarray) if plain.names else found


@pytest.mark.parametrize("name", NAMES)
def test_threads_do_what_the_processor_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = kernel_of(name)
    names = batch_threads_of(kernel, None, PYTHON)
    monkeypatch.setattr(cuda, "Card", lambda: PythonCard(kernel))
    monkeypatch.setattr(cuda, "kept_ptx", lambda *given: {each: Ptx("", each) for each in names})
    card, host = Batch(name, 3, seed=5, device="cuda"), Batch(name, 3, seed=5)
    for _ in range(12):
        found = [*card.step(card.sample()), card.actor, card.counts, card.mask, *card.observe()]
        rewards, done = host.step(host.sample())
        wanted = [rewards, done, host.actor, host.counts, host.mask, *host.observe()]
        assert [each.get().tobytes() for each in found] == [each.tobytes() for each in wanted]
    assert (card.legal().get() == host.legal()).all()
    assert card.text(2) == host.text(2)
    assert card.action_text(1, int(host.legal()[1].argmax())) is not None
    saved, texts = card.save(), [card.text(i) for i in range(3)]
    assert all((saved[key] == value).all() for key, value in host.save().items() if key != "pool")
    host.reset(9)
    host.load(saved)
    assert [host.text(i) for i in range(3)] == texts
    card.reset(9)
    card.load(host.save())
    assert [card.text(i) for i in range(3)] == texts
    before = card.text(0)
    card.step(np.array([-1, *card.sample().get()[1:]]))
    assert card.faults.get().tolist() == [1, 0, 0]
    assert card.text(0) == before
    ahead = Batch(name, 4, seed=1, device="cuda")
    ahead.take(card, np.array([2, -1, 0, 2], np.int32))
    assert [ahead.text(i) for i in (0, 2, 3)] == [card.text(row) for row in (2, 0, 2)]
    with pytest.raises(ValueError, match="same device"):
        ahead.take(host, np.array([0, 0, 0, 0]))
    with pytest.raises(ValueError, match="alone"):
        card.set(0, "start")
    with pytest.raises(ValueError, match="alone"):
        Batch(name, 3, device="cuda", keep="records")


def array(memory: Memory, shape: tuple[int, ...], dtype: Any) -> CudaArray:
    return CudaArray(cast(Any, memory), shape, dtype)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_batch_compiles_for_a_graphics_card(name: str) -> None:
    made = batch_ptx_of(kernel_of(name))
    assert set(made) == {"reset", "step", "sample", "observe", "take", "legal"}
    for each in made.values():
        assert ".target sm_90" in each.text
        assert f".visible .entry {each.entry}(" in each.text
        assert ".maxnreg" in each.text


def test_without_a_driver_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    with pytest.raises(CudaError, match="device=cpu"):
        Batch("kalamala", 2, device="cuda")


def test_what_is_written_to_a_card_comes_back() -> None:
    memory = Memory()
    numbers, other = array(memory, (2, 3), np.int32), array(memory, (2, 3), np.int32)
    numbers[:] = np.arange(6, dtype=np.int64).reshape(2, 3)
    other[:] = numbers
    assert other.get().tolist() == [[0, 1, 2], [3, 4, 5]]
    other[:] = 7
    assert other.get().tolist() == [[7] * 3] * 2
    with pytest.raises(IndexError):
        other[0:1] = 3
    with pytest.raises(ValueError, match="laid out alike"):
        other[:] = array(memory, (6,), np.int32)
    with pytest.raises(ValueError, match="laid out alike"):
        other[:] = CudaArray(cast(Any, memory), (2, 3), np.int32, is_interleaved=True)
    del numbers
    assert len(memory.blocks) == 1


def test_interleaved_arrays_have_a_number_of_all_matches_side_by_side() -> None:
    memory = Memory()
    made, other = (CudaArray(cast(Any, memory), (2, 3), np.int16, True) for _ in range(2))
    made[:] = [[0, 1, 2], [3, 4, 5]]
    other[:] = made
    assert other.get().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert bytes(memory.blocks[made.at]) == np.array([0, 3, 1, 4, 2, 5], np.int16).tobytes()
    assert made.strides == made.__cuda_array_interface__["strides"] == (2, 4)
    assert made.view(np.uint16).strides == (2, 4)
    assert [each.value for each in _flat_values(made)][-4:] == [2, 3, 2, 4]


def test_arrays_are_passed_on_as_numba_expects_them() -> None:
    memory = Memory()
    made = array(memory, (2, 3), np.float32)
    values = [each.value for each in _flat_values(made)]
    assert values == [0, 0, 6, 4, made.at, 2, 3, 12, 4]


def test_a_capsule_says_where_an_array_is_and_keeps_it() -> None:
    memory = Memory()
    made = array(memory, (2, 3), np.float32)
    at, capsule = made.at, made.__dlpack__()
    assert made.__dlpack_device__() == (2, 0)
    assert made.__cuda_array_interface__["data"] == (at, False)
    find = ctypes.pythonapi.PyCapsule_GetPointer
    find.restype, find.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    managed = _DlManagedTensor.from_address(find(capsule, CAPSULE_NAME))
    tensor = managed.tensor
    assert (tensor.data, tensor.ndim, tensor.code, tensor.bits) == (at, 2, 2, 32)
    assert tensor.shape[:2] == [2, 3]
    assert tensor.strides[:2] == [3, 1]
    del made
    assert at in memory.blocks
    managed.deleter(ctypes.pointer(managed))
    assert at not in memory.blocks
    assert not _alive
