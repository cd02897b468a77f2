"""Writes the ONNX graph of all-MiniLM-L6-v2 and its int8 form, with one scale per output channel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from research.parsing.vectors.minilm_files import DIMENSION, Weights

LAYERS = 6
HEADS = 12
EPSILON = 1e-12
_OPSET = 17

Attribute = int | float | tuple[int, ...] | list[int]
Array = npt.NDArray[np.float32] | npt.NDArray[np.int64] | npt.NDArray[np.int8]


def write_quantised(weights: Weights, path: Path) -> None:
    exact = path.with_suffix(".fp32.onnx")
    onnx.save(build_graph(weights), str(exact))
    quantize_dynamic(
        str(exact),
        str(path),
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul", "Attention"],
        # onnx does not infer types after the fused operator; everything here is float32.
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
    exact.unlink()


def build_graph(weights: Weights) -> onnx.ModelProto:
    """Build the graph.

    Inputs: input_ids (n, tokens) int64, attention_mask (n, tokens) float32. Output: embedding (n, 384), rows
    of unit length.
    """
    graph = _Graph(weights)
    hidden = graph.embeddings()
    mask = graph.attention_mask()
    for layer in range(LAYERS):
        hidden = graph.layer(hidden, mask, f"encoder.layer.{layer}")
    graph.add_mean_pooling(hidden)
    return graph.model()


class _Graph:
    """Collects the graph's nodes; each method returns the name of its result."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}
        self._count = 0

    def embeddings(self) -> str:
        words = self._word_vectors()
        tokens = self._op("Gather", self._op("Shape", "input_ids"), self._ints("one", np.array(1)), axis=0)
        range_ = self._op("Range", self._ints("zero", np.array(0)), tokens, self._ints("one", np.array(1)))
        places = self._op("Gather", self._weight("embeddings.position_embeddings.weight"), range_)
        kind = self._constant("token_type", self._weights["embeddings.token_type_embeddings.weight"][0])
        return self._norm(self._op("Add", self._op("Add", words, places), kind), "embeddings.LayerNorm")

    def _word_vectors(self) -> str:
        """Add the word table in int8 with a scale for each of 30,522 words: a quarter of the memory."""
        table = self._weights["embeddings.word_embeddings.weight"]
        scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-9).astype(np.float32) / 127
        rounded = self._constant("words.int8", np.round(table / scales).astype(np.int8))
        rows = self._op("Cast", self._op("Gather", rounded, "input_ids"), to=TensorProto.FLOAT)
        return self._op("Mul", rows, self._op("Gather", self._constant("words.scales", scales), "input_ids"))

    def attention_mask(self) -> str:
        """Add the mask as (n, tokens) int32: 1 for words, 0 for padding."""
        return self._op("Cast", "attention_mask", to=TensorProto.INT32)

    def layer(self, hidden: str, mask: str, name: str) -> str:
        attended = self._linear(self._attention(hidden, mask, name), f"{name}.attention.output.dense")
        hidden = self._norm(self._op("Add", attended, hidden), f"{name}.attention.output.LayerNorm")
        inner = self._gelu(self._linear_by_token(hidden, f"{name}.intermediate.dense"))
        outer = self._linear_by_token(inner, f"{name}.output.dense")
        return self._norm(self._op("Add", outer, hidden), f"{name}.output.LayerNorm")

    def add_mean_pooling(self, hidden: str) -> None:
        mask = self._op("Unsqueeze", "attention_mask", self._ints("axis_2", np.array([2])))
        axis = self._ints("axis_1", np.array([1]))
        total = self._op("ReduceSum", self._op("Mul", hidden, mask), axis, keepdims=0)
        mean = self._op("Div", total, self._op("ReduceSum", mask, axis, keepdims=0))
        self._nodes.append(helper.make_node("LpNormalization", [mean], ["embedding"], axis=-1, p=2))

    def model(self) -> onnx.ModelProto:
        graph = helper.make_graph(
            self._nodes,
            "all-MiniLM-L6-v2",
            [
                helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "tokens"]),
                helper.make_tensor_value_info("attention_mask", TensorProto.FLOAT, ["n", "tokens"]),
            ],
            [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", DIMENSION])],
            list(self._constants.values()),
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid("com.microsoft", 1)],
            ir_version=9,
        )
        # The graph is as simple as pre-processing would make it; without this mark the quantiser recommends
        # it.
        helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
        return model

    def _attention(self, hidden: str, mask: str, name: str) -> str:
        """Add onnxruntime's fused multi-head attention: in int8 about a third faster than its parts."""
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self._weights[f"{part}.weight"].T for part in parts], axis=1)
        bias = np.concatenate([self._weights[f"{part}.bias"] for part in parts])
        inputs = (
            hidden,
            self._constant(f"{name}.qkv.weight", weight),
            self._constant(f"{name}.qkv.bias", bias),
            mask,
        )
        return self._op("Attention", *inputs, domain="com.microsoft", num_heads=HEADS)

    def _linear_by_token(self, hidden: str, name: str) -> str:
        """Add a linear layer whose input is scaled to [-1, 1] token by token, and its output back.

        Dynamic quantisation has one scale for the whole tensor, so one token with large values would drown
        the others. With this the lowest cosine to fp32 rises from 0.985 to 0.992 (60 sentences of
        documentation).
        """
        loudest = self._op("ReduceMax", self._op("Abs", hidden), axes=[-1], keepdims=1)
        scale = self._op("Max", loudest, self._float("tiny", 1e-6))
        return self._linear(self._op("Div", hidden, scale), name, scale)

    def _linear(self, hidden: str, name: str, scale: str | None = None) -> str:
        transposed = self._constant(
            f"{name}.weight.T", np.ascontiguousarray(self._weights[f"{name}.weight"].T)
        )
        product = self._op("MatMul", hidden, transposed)
        if scale is not None:
            product = self._op("Mul", product, scale)
        return self._op("Add", product, self._weight(f"{name}.bias"))

    def _gelu(self, hidden: str) -> str:
        scaled = self._op("Div", hidden, self._float("sqrt_2", 2**0.5))
        shifted = self._op("Add", self._op("Erf", scaled), self._float("one_f", 1.0))
        return self._op("Mul", self._op("Mul", hidden, shifted), self._float("half", 0.5))

    def _norm(self, hidden: str, name: str) -> str:
        scale, shift = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        return self._op("LayerNormalization", hidden, scale, shift, axis=-1, epsilon=EPSILON)

    def _op(
        self,
        kind: str,
        *inputs: str,
        domain: str = "",
        **attributes: Attribute,
    ) -> str:
        self._count += 1
        output = f"{kind}_{self._count}"
        node = helper.make_node(kind, list(inputs), [output], name=output, domain=domain)
        node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
        self._nodes.append(node)
        return output

    def _weight(self, name: str) -> str:
        return self._constant(name, self._weights[name])

    def _float(self, name: str, value: float) -> str:
        return self._constant(name, np.array(value, dtype=np.float32))

    def _ints(self, name: str, value: npt.NDArray[np.int64]) -> str:
        return self._constant(name, value.astype(np.int64))

    def _constant(self, name: str, value: Array) -> str:
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(value, name)
        return name
