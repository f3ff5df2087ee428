// Runs in each engine, since slices must agree with the engine's parser.
import '../../../../unit/core/slicing/json/json-slices-properties.test.ts';
