// The format's code comes with the application's own.
import 'unspool/formats/messagepack';
import './unspool.js';
