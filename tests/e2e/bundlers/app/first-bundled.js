// Bundles the code of MessagePack with the application's script.
import 'unspool/formats/messagepack';
import './first.js';
