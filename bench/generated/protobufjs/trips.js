// @ts-nocheck
import protobuf from 'protobufjs/minimal.js';
const { Reader, Writer, util } = protobuf;

export function Trips() {
  this.trips = [];
}
Trips.prototype.trips = util.emptyArray;

export function Trip() {
}
Trip.prototype.ride_id = "";
Trip.prototype.rideable_type = 0;
Trip.prototype.started_at = util.Long ? util.Long.fromBits(0, 0, false) : 0;
Trip.prototype.ended_at = util.Long ? util.Long.fromBits(0, 0, false) : 0;
Trip.prototype.start_station_name = "";
Trip.prototype.start_station_id = "";
Trip.prototype.end_station_name = null;
Trip.prototype.end_station_id = null;
Trip.prototype.start_lat = 0;
Trip.prototype.start_lng = 0;
Trip.prototype.end_lat = null;
Trip.prototype.end_lng = null;
Trip.prototype.member_casual = 0;

Trips.encode = ((types, C) => function (m,w,q){
  if(!w)
  w=Writer.create()
  if(q===undefined)q=0
  if(q>util.recursionLimit)
  throw Error("max depth exceeded")
  if(m.trips!=null&&m.trips.length){
  for(var i=0;i<m.trips.length;++i)
  types[0].encode(m.trips[i],w.uint32(10).fork(),q+1).ldelim()
  }
  if(m.$unknowns!=null&&Object.hasOwnProperty.call(m,"$unknowns"))
  for(var i=0;i<m.$unknowns.length;++i)
  w.raw(m.$unknowns[i])
  return w
})([Trip], Trips);

Trips.decode = ((types, C) => function (r,l,z,q,g){
  if(!(r instanceof Reader))
  r=Reader.create(r)
  if(q===undefined)q=0
  if(q>Reader.recursionLimit)
  throw Error("max depth exceeded")
  var c,m
  if(l===undefined)
  c=r.len
  else{
  c=r.pos+l
  if(c>r.len)
  throw RangeError("index out of range")
  l=r.len
  r.len=c
  }
  m=g||new C
  while(r.pos<c){
  var s=r.pos
  var t=r.tag()
  if(t===z){
  z=undefined
  break
  }
  var u=t&7
  switch(t>>>=3){
  case 1:
  {
  if(u!==2)
  break
  if(!(m.trips&&m.trips.length))
  m.trips=[]
  m.trips.push(types[0].decode(r,r.size(),undefined,q+1))
  continue
  }
  }
  r.skipType(u,q,t)
  if(!r.discardUnknown){
  util.makeProp(m,"$unknowns",false);
  (m.$unknowns||(m.$unknowns=[])).push(r.raw(s,r.pos))
  }
  }
  if(l!==undefined){
  if(r.pos!==c)
  throw RangeError("index out of range")
  r.len=l
  }
  if(z!==undefined)
  throw Error("missing end group")
  return m
})([Trip], Trips);

Trips.toObject = ((types, C) => function (m,o,q){
  if(!o)
  o={}
  if(q===undefined)q=0
  if(q>util.recursionLimit)
  throw Error("max depth exceeded")
  var d={}
  if(o.arrays||o.defaults){
  d.trips=[]
  }
  if(m.trips&&m.trips.length){
  d.trips=Array(m.trips.length)
  for(var j=0;j<m.trips.length;++j){
  d.trips[j]=types[0].toObject(m.trips[j],o,q+1)
  }
  }
  return d
})([Trip], Trips);

Trip.encode = ((types, C) => function (m,w,q){
  if(!w)
  w=Writer.create()
  if(q===undefined)q=0
  if(q>util.recursionLimit)
  throw Error("max depth exceeded")
  if(m.ride_id!=null&&Object.hasOwnProperty.call(m,"ride_id")&&m.ride_id!=="")
  w.uint32(10).string(m.ride_id)
  if(m.rideable_type!=null&&Object.hasOwnProperty.call(m,"rideable_type")&&m.rideable_type!==0)
  w.uint32(16).int32(m.rideable_type)
  if(m.started_at!=null&&Object.hasOwnProperty.call(m,"started_at")&&(typeof m.started_at==="object"?m.started_at.low||m.started_at.high:m.started_at!==0))
  w.uint32(24).int64(m.started_at)
  if(m.ended_at!=null&&Object.hasOwnProperty.call(m,"ended_at")&&(typeof m.ended_at==="object"?m.ended_at.low||m.ended_at.high:m.ended_at!==0))
  w.uint32(32).int64(m.ended_at)
  if(m.start_station_name!=null&&Object.hasOwnProperty.call(m,"start_station_name")&&m.start_station_name!=="")
  w.uint32(42).string(m.start_station_name)
  if(m.start_station_id!=null&&Object.hasOwnProperty.call(m,"start_station_id")&&m.start_station_id!=="")
  w.uint32(50).string(m.start_station_id)
  if(m.end_station_name!=null&&Object.hasOwnProperty.call(m,"end_station_name"))
  w.uint32(58).string(m.end_station_name)
  if(m.end_station_id!=null&&Object.hasOwnProperty.call(m,"end_station_id"))
  w.uint32(66).string(m.end_station_id)
  if(m.start_lat!=null&&Object.hasOwnProperty.call(m,"start_lat")&&!Object.is(m.start_lat,0))
  w.uint32(73).double(m.start_lat)
  if(m.start_lng!=null&&Object.hasOwnProperty.call(m,"start_lng")&&!Object.is(m.start_lng,0))
  w.uint32(81).double(m.start_lng)
  if(m.end_lat!=null&&Object.hasOwnProperty.call(m,"end_lat"))
  w.uint32(89).double(m.end_lat)
  if(m.end_lng!=null&&Object.hasOwnProperty.call(m,"end_lng"))
  w.uint32(97).double(m.end_lng)
  if(m.member_casual!=null&&Object.hasOwnProperty.call(m,"member_casual")&&m.member_casual!==0)
  w.uint32(104).int32(m.member_casual)
  if(m.$unknowns!=null&&Object.hasOwnProperty.call(m,"$unknowns"))
  for(var i=0;i<m.$unknowns.length;++i)
  w.raw(m.$unknowns[i])
  return w
})([null, { values: {"electric_bike":0,"classic_bike":1} }, null, null, null, null, null, null, null, null, null, null, { values: {"member":0,"casual":1} }], Trip);

Trip.decode = ((types, C) => function (r,l,z,q,g){
  if(!(r instanceof Reader))
  r=Reader.create(r)
  if(q===undefined)q=0
  if(q>Reader.recursionLimit)
  throw Error("max depth exceeded")
  var c,m,v
  if(l===undefined)
  c=r.len
  else{
  c=r.pos+l
  if(c>r.len)
  throw RangeError("index out of range")
  l=r.len
  r.len=c
  }
  m=g||new C
  while(r.pos<c){
  var s=r.pos
  var t=r.tag()
  if(t===z){
  z=undefined
  break
  }
  var u=t&7
  switch(t>>>=3){
  case 1:{
  if(u!==2)
  break
  if((v=r.stringVerify()).length)
  m.ride_id=v
  else
  delete m.ride_id
  continue
  }
  case 2:{
  if(u!==0)
  break
  if(v=r.int32())
  m.rideable_type=v
  else
  delete m.rideable_type
  continue
  }
  case 3:{
  if(u!==0)
  break
  if(typeof(v=r.int64())==="object"?v.low||v.high:v!==0)
  m.started_at=v
  else
  delete m.started_at
  continue
  }
  case 4:{
  if(u!==0)
  break
  if(typeof(v=r.int64())==="object"?v.low||v.high:v!==0)
  m.ended_at=v
  else
  delete m.ended_at
  continue
  }
  case 5:{
  if(u!==2)
  break
  if((v=r.stringVerify()).length)
  m.start_station_name=v
  else
  delete m.start_station_name
  continue
  }
  case 6:{
  if(u!==2)
  break
  if((v=r.stringVerify()).length)
  m.start_station_id=v
  else
  delete m.start_station_id
  continue
  }
  case 7:{
  if(u!==2)
  break
  m.end_station_name=r.stringVerify()
  m._end_station_name="end_station_name"
  continue
  }
  case 8:{
  if(u!==2)
  break
  m.end_station_id=r.stringVerify()
  m._end_station_id="end_station_id"
  continue
  }
  case 9:{
  if(u!==1)
  break
  if(!Object.is(v=r.double(),0))
  m.start_lat=v
  else
  delete m.start_lat
  continue
  }
  case 10:{
  if(u!==1)
  break
  if(!Object.is(v=r.double(),0))
  m.start_lng=v
  else
  delete m.start_lng
  continue
  }
  case 11:{
  if(u!==1)
  break
  m.end_lat=r.double()
  m._end_lat="end_lat"
  continue
  }
  case 12:{
  if(u!==1)
  break
  m.end_lng=r.double()
  m._end_lng="end_lng"
  continue
  }
  case 13:{
  if(u!==0)
  break
  if(v=r.int32())
  m.member_casual=v
  else
  delete m.member_casual
  continue
  }
  }
  r.skipType(u,q,t)
  if(!r.discardUnknown){
  util.makeProp(m,"$unknowns",false);
  (m.$unknowns||(m.$unknowns=[])).push(r.raw(s,r.pos))
  }
  }
  if(l!==undefined){
  if(r.pos!==c)
  throw RangeError("index out of range")
  r.len=l
  }
  if(z!==undefined)
  throw Error("missing end group")
  return m
})([null, { values: {"electric_bike":0,"classic_bike":1} }, null, null, null, null, null, null, null, null, null, null, { values: {"member":0,"casual":1} }], Trip);

Trip.toObject = ((types, C) => function (m,o,q){
  if(!o)
  o={}
  if(q===undefined)q=0
  if(q>util.recursionLimit)
  throw Error("max depth exceeded")
  var d={}
  if(o.defaults){
  d.ride_id=""
  d.rideable_type=o.enums===String?"electric_bike":0
  if(util.Long){
  var n=new util.Long(0,0,false)
  d.started_at=o.longs===String?n.toString():o.longs===Number?n.toNumber():typeof BigInt!=="undefined"&&o.longs===BigInt?n.toBigInt():n
  }else
  d.started_at=o.longs===String?"0":typeof BigInt!=="undefined"&&o.longs===BigInt?BigInt("0"):0
  if(util.Long){
  var n=new util.Long(0,0,false)
  d.ended_at=o.longs===String?n.toString():o.longs===Number?n.toNumber():typeof BigInt!=="undefined"&&o.longs===BigInt?n.toBigInt():n
  }else
  d.ended_at=o.longs===String?"0":typeof BigInt!=="undefined"&&o.longs===BigInt?BigInt("0"):0
  d.start_station_name=""
  d.start_station_id=""
  d.start_lat=0
  d.start_lng=0
  d.member_casual=o.enums===String?"member":0
  }
  if(m.ride_id!=null&&Object.hasOwnProperty.call(m,"ride_id")){
  d.ride_id=m.ride_id
  }
  if(m.rideable_type!=null&&Object.hasOwnProperty.call(m,"rideable_type")){
  d.rideable_type=o.enums===String?(types[1].values[m.rideable_type]===undefined?m.rideable_type:types[1].values[m.rideable_type]):m.rideable_type
  }
  if(m.started_at!=null&&Object.hasOwnProperty.call(m,"started_at")){
  if(typeof BigInt!=="undefined"&&o.longs===BigInt)
  d.started_at=typeof m.started_at==="number"?BigInt(m.started_at):util.Long.fromBits(m.started_at.low>>>0,m.started_at.high>>>0,false).toBigInt()
  else if(typeof m.started_at==="number")
  d.started_at=o.longs===String?String(m.started_at):m.started_at
  else
  d.started_at=o.longs===String?util.Long.prototype.toString.call(m.started_at):o.longs===Number?new util.LongBits(m.started_at.low>>>0,m.started_at.high>>>0).toNumber():m.started_at
  }
  if(m.ended_at!=null&&Object.hasOwnProperty.call(m,"ended_at")){
  if(typeof BigInt!=="undefined"&&o.longs===BigInt)
  d.ended_at=typeof m.ended_at==="number"?BigInt(m.ended_at):util.Long.fromBits(m.ended_at.low>>>0,m.ended_at.high>>>0,false).toBigInt()
  else if(typeof m.ended_at==="number")
  d.ended_at=o.longs===String?String(m.ended_at):m.ended_at
  else
  d.ended_at=o.longs===String?util.Long.prototype.toString.call(m.ended_at):o.longs===Number?new util.LongBits(m.ended_at.low>>>0,m.ended_at.high>>>0).toNumber():m.ended_at
  }
  if(m.start_station_name!=null&&Object.hasOwnProperty.call(m,"start_station_name")){
  d.start_station_name=m.start_station_name
  }
  if(m.start_station_id!=null&&Object.hasOwnProperty.call(m,"start_station_id")){
  d.start_station_id=m.start_station_id
  }
  if(m.end_station_name!=null&&Object.hasOwnProperty.call(m,"end_station_name")){
  d.end_station_name=m.end_station_name
  }
  if(m.end_station_id!=null&&Object.hasOwnProperty.call(m,"end_station_id")){
  d.end_station_id=m.end_station_id
  }
  if(m.start_lat!=null&&Object.hasOwnProperty.call(m,"start_lat")){
  d.start_lat=o.json&&!isFinite(m.start_lat)?String(m.start_lat):m.start_lat
  }
  if(m.start_lng!=null&&Object.hasOwnProperty.call(m,"start_lng")){
  d.start_lng=o.json&&!isFinite(m.start_lng)?String(m.start_lng):m.start_lng
  }
  if(m.end_lat!=null&&Object.hasOwnProperty.call(m,"end_lat")){
  d.end_lat=o.json&&!isFinite(m.end_lat)?String(m.end_lat):m.end_lat
  }
  if(m.end_lng!=null&&Object.hasOwnProperty.call(m,"end_lng")){
  d.end_lng=o.json&&!isFinite(m.end_lng)?String(m.end_lng):m.end_lng
  }
  if(m.member_casual!=null&&Object.hasOwnProperty.call(m,"member_casual")){
  d.member_casual=o.enums===String?(types[12].values[m.member_casual]===undefined?m.member_casual:types[12].values[m.member_casual]):m.member_casual
  }
  return d
})([null, { values: {"electric_bike":0,"classic_bike":1} }, null, null, null, null, null, null, null, null, null, null, { values: {"member":0,"casual":1} }], Trip);
