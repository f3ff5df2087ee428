// By its name, so that the rest of the library is left out of the file that this comes to be in.
export { Inflate } from 'fflate';
