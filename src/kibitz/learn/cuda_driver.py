"""A graphics card through NVIDIA's driver alone, by ctypes: memory, kernels in PTX, arrays.

It needs NumPy and nothing of ours, so that it can be taken to a machine where Kibitz is not
installed. Arrays are handed to torch, JAX and CuPy without being copied.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

BLOCK = 128
"""Threads of a block."""
DLPACK_CUDA = 2
DLPACK_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
CAPSULE_NAME = b"dltensor"


class CudaError(RuntimeError):
    """The driver refused something, or there is none."""


class Card:
    """The first card of this machine, in the context that other libraries use, too."""

    def __init__(self, number: int = 0) -> None:
        try:
            self._driver = ctypes.CDLL("libcuda.so.1")
        except OSError:
            raise CudaError("there is no NVIDIA driver on this machine: use device=cpu") from None
        self._call("cuInit", ctypes.c_uint(0))
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuDeviceGet", ctypes.byref(device), ctypes.c_int(number))
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._context, self.number = context, number
        self.make_current()
        name = ctypes.create_string_buffer(100)
        self._call("cuDeviceGetName", name, ctypes.c_int(100), device)
        self.name = name.value.decode()
        parts = []
        for attribute in (75, 76):  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
            found = ctypes.c_int()
            self._call("cuDeviceGetAttribute", ctypes.byref(found), ctypes.c_int(attribute), device)
            parts.append(found.value)
        self.capability = parts[0], parts[1]

    def _call(self, name: str, *values: Any) -> None:
        code = getattr(self._driver, name)(*values)
        if code:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(ctypes.c_int(code), ctypes.byref(text))
            raise CudaError(f"{name}: {(text.value or b'').decode()} ({code})")

    def make_current(self) -> None:
        self._call("cuCtxSetCurrent", self._context)

    def synchronize(self) -> None:
        self._call("cuCtxSynchronize")

    def allocate(self, size: int) -> int:
        at = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(max(1, size)))
        return int(at.value)

    def free(self, at: int) -> None:
        self._driver.cuMemFree_v2(ctypes.c_uint64(at))

    def upload(self, at: int, host: Any) -> None:
        size = ctypes.c_size_t(host.nbytes)
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(at), ctypes.c_void_p(host.ctypes.data), size)

    def download(self, host: Any, at: int) -> None:
        size = ctypes.c_size_t(host.nbytes)
        self._call("cuMemcpyDtoH_v2", ctypes.c_void_p(host.ctypes.data), ctypes.c_uint64(at), size)

    def copy(self, target: int, source: int, size: int) -> None:
        at = ctypes.c_uint64(target), ctypes.c_uint64(source)
        self._call("cuMemcpyDtoD_v2", *at, ctypes.c_size_t(size))

    def clear(self, at: int, size: int) -> None:
        self._call("cuMemsetD8_v2", ctypes.c_uint64(at), ctypes.c_ubyte(0), ctypes.c_size_t(size))

    def function(self, ptx: str, entry: str) -> Any:
        """A kernel of a text in PTX, which the driver compiles for this card."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        text = ctypes.c_char_p(ptx.encode())
        self._call("cuModuleLoadData", ctypes.byref(module), text)
        name = ctypes.c_char_p(entry.encode())
        self._call("cuModuleGetFunction", ctypes.byref(function), module, name)
        return function

    def bind(self, function: Any, threads: int, values: Sequence[Any]) -> Callable[[], None]:
        """A launch with these values: arrays as Numba passes them on, and whole numbers."""
        flat = [each for value in values for each in _flat_values(value)]
        places = (ctypes.c_void_p * len(flat))(*(ctypes.addressof(each) for each in flat))
        blocks = [ctypes.c_uint(n) for n in (-(-threads // BLOCK), 1, 1, BLOCK, 1, 1, 0)]
        kept = (flat, values)

        def launch(kept: Any = kept) -> None:
            self.make_current()
            stream = ctypes.c_void_p(None)
            self._call("cuLaunchKernel", function, *blocks, stream, places, ctypes.c_void_p(None))

        return launch

    def milliseconds(self, work: Callable[[], None]) -> float:
        """The time between two events around some launches, by the card's clock."""
        events = ctypes.c_void_p(), ctypes.c_void_p()
        for event in events:
            self._call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(0))
        self._call("cuEventRecord", events[0], ctypes.c_void_p(None))
        work()
        self._call("cuEventRecord", events[1], ctypes.c_void_p(None))
        self._call("cuEventSynchronize", events[1])
        spent = ctypes.c_float()
        self._call("cuEventElapsedTime", ctypes.byref(spent), *events)
        for event in events:
            self._call("cuEventDestroy_v2", event)
        return float(spent.value)


class CudaArray:
    """An array in a card's memory, freed when nobody holds it any more.

    An interleaved one has the same number of all matches side by side, so that threads that write
    it at once write to one place.
    """

    def __init__(
        self, card: Card, shape: tuple[int, ...], dtype: Any, is_interleaved: bool = False
    ) -> None:
        self.card, self.shape, self.dtype = card, shape, np.dtype(dtype)
        self.is_interleaved = is_interleaved and len(shape) > 1
        self.nbytes = prod(shape) * self.dtype.itemsize
        self.at = card.allocate(self.nbytes)
        card.clear(self.at, self.nbytes)

    def __del__(self) -> None:
        if hasattr(self, "at"):
            self.card.free(self.at)

    def get(self) -> Any:
        """A copy in this machine's memory."""
        self.card.make_current()
        found = np.empty(self._memory_shape, self.dtype)
        self.card.download(found, self.at)
        return np.moveaxis(found, -1, 0) if self.is_interleaved else found

    @property
    def _memory_shape(self) -> tuple[int, ...]:
        return (*self.shape[1:], self.shape[0]) if self.is_interleaved else self.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, along each axis."""
        shape, item = self._memory_shape, self.dtype.itemsize
        steps = [item * prod(shape[n + 1 :]) for n in range(len(shape))]
        return (steps[-1], *steps[:-1]) if self.is_interleaved else tuple(steps)

    def __setitem__(self, key: slice, value: Any) -> None:
        """All of it at once, by an array of either memory: `a[:] = b`."""
        if key != slice(None):
            raise IndexError("an array on a card is written as a whole: a[:] = b")
        self.card.make_current()
        if hasattr(value, "__cuda_array_interface__"):
            self._copy_from(value.__cuda_array_interface__)
            return
        host = np.broadcast_to(np.asarray(value), self.shape)
        if self.is_interleaved:
            host = np.moveaxis(host, 0, -1)
        self.card.upload(self.at, np.ascontiguousarray(host, self.dtype))

    def _copy_from(self, other: Any) -> None:
        ours = self.__cuda_array_interface__
        is_alike = all(other.get(key) == ours[key] for key in ("shape", "strides"))
        if not is_alike or np.dtype(other["typestr"]) != self.dtype:
            raise ValueError(f"not an array of {self.shape} and {self.dtype}, laid out alike")
        self.card.copy(self.at, int(other["data"][0]), self.nbytes)

    def view(self, dtype: Any) -> CudaArray:
        """The same memory as another type of the same size."""
        return CudaView(self, dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.at, False),
            "strides": self.strides if self.is_interleaved else None,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLPACK_CUDA, self.card.number

    def __dlpack__(self, **asked: Any) -> Any:
        """The array as a capsule of DLPack; it stays alive until its taker has no use for it."""
        self.card.synchronize()
        return dlpack_capsule(self)


class CudaView(CudaArray):
    """Memory that another array owns."""

    def __init__(self, owner: CudaArray, dtype: Any) -> None:
        self.owner, self.card, self.shape = owner, owner.card, owner.shape
        self.is_interleaved = owner.is_interleaved
        self.dtype, self.nbytes, self.at = np.dtype(dtype), owner.nbytes, owner.at

    def __del__(self) -> None:
        """Nothing to free."""


def _flat_values(value: Any) -> list[Any]:
    """An array as Numba passes it on: no owner, sizes, the address, shape and strides."""
    if not isinstance(value, CudaArray):
        return [ctypes.c_int64(int(value))]
    item, shape = value.dtype.itemsize, value.shape
    numbers = [0, 0, prod(shape), item, value.at, *shape, *value.strides]
    return [ctypes.c_int64(number) for number in numbers]


# DLPack


class _DlTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _DlManagedTensor(ctypes.Structure):
    """A tensor and how to let go of it."""


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_DlManagedTensor))
_DlManagedTensor._fields_ = (
    ("tensor", _DlTensor),
    ("context", ctypes.c_void_p),
    ("deleter", _Deleter),
)
_alive: dict[int, Any] = {}
"""Arrays that somebody took by DLPack, by the addresses of their tensors."""


def _let_go(tensor: Any) -> None:
    _alive.pop(ctypes.addressof(tensor.contents), None)


_DELETER = _Deleter(_let_go)


def dlpack_capsule(array: CudaArray) -> Any:
    axes = ctypes.c_int64 * len(array.shape)
    shape = axes(*array.shape)
    steps = axes(*(step // array.dtype.itemsize for step in array.strides))
    managed = _DlManagedTensor()
    found = managed.tensor
    found.data, found.device_type, found.device_id = array.at, *array.__dlpack_device__()
    found.ndim, found.lanes = len(array.shape), 1
    found.code, found.bits = DLPACK_KINDS[array.dtype.kind], 8 * array.dtype.itemsize
    numbers = ctypes.POINTER(ctypes.c_int64)
    found.shape, found.strides = ctypes.cast(shape, numbers), ctypes.cast(steps, numbers)
    managed.deleter = _DELETER
    _alive[ctypes.addressof(managed)] = managed, shape, steps, array
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(ctypes.addressof(managed), CAPSULE_NAME, None)
