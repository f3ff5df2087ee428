// @ts-nocheck
import { fileDesc, messageDesc } from '@bufbuild/protobuf/codegenv2';

export const file = fileDesc('Cg1udW1iZXJzLnByb3RvEgx1bnNwb29sLmRlbW8iNAoHTnVtYmVycxIpCgVpdGVtcxgBIAMoCzITLnVuc3Bvb2wuZGVtby5Qb2ludFIFaXRlbXMiMQoFUG9pbnQSDAoBeBgBIAEoAVIBeBIMCgF5GAIgASgBUgF5EgwKAXoYAyABKAFSAXpiBnByb3RvMw==');
export const NumbersSchema = messageDesc(file, 0);
