import { serve } from 'unspool/worker-core';
import cbor from 'unspool/formats/cbor';
import json from 'unspool/formats/json';

serve({ json, cbor });
