// The code of MessagePack is part of the application's script.
import 'unspool/formats/messagepack';
import './first.js';
