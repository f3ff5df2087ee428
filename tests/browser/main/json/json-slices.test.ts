// Runs in each engine, since slices must agree with the engine's parser.
import '../../../unit/main/json/json-slices-properties.test.ts';
