// @ts-nocheck
import protobuf from 'protobufjs/minimal.js';
const { Reader, Writer, util } = protobuf;

export function Numbers() {
  this.items = [];
}
Numbers.prototype.items = util.emptyArray;

export function Point() {
}
Point.prototype.x = 0;
Point.prototype.y = 0;
Point.prototype.z = 0;

Numbers.encode = ((types, C) => function (m,w,q){
  if(!w)
  w=Writer.create()
  if(q===undefined)q=0
  if(q>util.recursionLimit)
  throw Error("max depth exceeded")
  if(m.items!=null&&m.items.length){
  for(var i=0;i<m.items.length;++i)
  types[0].encode(m.items[i],w.uint32(10).fork(),q+1).ldelim()
  }
  if(m.$unknowns!=null&&Object.hasOwnProperty.call(m,"$unknowns"))
  for(var i=0;i<m.$unknowns.length;++i)
  w.raw(m.$unknowns[i])
  return w
})([Point], Numbers);

Numbers.decode = ((types, C) => function (r,l,z,q,g){
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
  if(!(m.items&&m.items.length))
  m.items=[]
  m.items.push(types[0].decode(r,r.size(),undefined,q+1))
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
})([Point], Numbers);

Numbers.toObject = ((types, C) => function (m,o,q){
  if(!o)
  o={}
  if(q===undefined)q=0
  if(q>util.recursionLimit)
  throw Error("max depth exceeded")
  var d={}
  if(o.arrays||o.defaults){
  d.items=[]
  }
  if(m.items&&m.items.length){
  d.items=Array(m.items.length)
  for(var j=0;j<m.items.length;++j){
  d.items[j]=types[0].toObject(m.items[j],o,q+1)
  }
  }
  return d
})([Point], Numbers);

Point.encode = ((types, C) => function (m,w,q){
  if(!w)
  w=Writer.create()
  if(q===undefined)q=0
  if(q>util.recursionLimit)
  throw Error("max depth exceeded")
  if(m.x!=null&&Object.hasOwnProperty.call(m,"x")&&!Object.is(m.x,0))
  w.uint32(9).double(m.x)
  if(m.y!=null&&Object.hasOwnProperty.call(m,"y")&&!Object.is(m.y,0))
  w.uint32(17).double(m.y)
  if(m.z!=null&&Object.hasOwnProperty.call(m,"z")&&!Object.is(m.z,0))
  w.uint32(25).double(m.z)
  if(m.$unknowns!=null&&Object.hasOwnProperty.call(m,"$unknowns"))
  for(var i=0;i<m.$unknowns.length;++i)
  w.raw(m.$unknowns[i])
  return w
})([null, null, null], Point);

Point.decode = ((types, C) => function (r,l,z,q,g){
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
  if(u!==1)
  break
  if(!Object.is(v=r.double(),0))
  m.x=v
  else
  delete m.x
  continue
  }
  case 2:{
  if(u!==1)
  break
  if(!Object.is(v=r.double(),0))
  m.y=v
  else
  delete m.y
  continue
  }
  case 3:{
  if(u!==1)
  break
  if(!Object.is(v=r.double(),0))
  m.z=v
  else
  delete m.z
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
})([null, null, null], Point);

Point.toObject = ((types, C) => function (m,o,q){
  if(!o)
  o={}
  if(q===undefined)q=0
  if(q>util.recursionLimit)
  throw Error("max depth exceeded")
  var d={}
  if(o.defaults){
  d.x=0
  d.y=0
  d.z=0
  }
  if(m.x!=null&&Object.hasOwnProperty.call(m,"x")){
  d.x=o.json&&!isFinite(m.x)?String(m.x):m.x
  }
  if(m.y!=null&&Object.hasOwnProperty.call(m,"y")){
  d.y=o.json&&!isFinite(m.y)?String(m.y):m.y
  }
  if(m.z!=null&&Object.hasOwnProperty.call(m,"z")){
  d.z=o.json&&!isFinite(m.z)?String(m.z):m.z
  }
  return d
})([null, null, null], Point);
