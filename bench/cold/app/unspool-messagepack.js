// Bundles the format's code with the application's.
import 'unspool/formats/messagepack';
import './unspool.js';
