// What the engine's parser gives is what slices give, in each engine.
import '../../unit/in-place/json-slices-properties.test.ts';
