// What the engine's parser gives is what slices give, in each engine.
import '../../../unit/main/json/json-slices-properties.test.ts';
