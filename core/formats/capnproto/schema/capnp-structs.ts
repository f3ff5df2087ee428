import type { Names } from './capnp-names.ts';
import { type Declaration, type Expression, type Member, nameOf, Ordinals } from './capnp-parser.ts';
import { MemberSpace, type Space, StructSpace, UnionSpace } from './layout.ts';
import { type FieldNode, NO_DEFAULT, type NodeId, type SchemaNodes, type StructNode } from './linker.ts';
import { BITS, isPointer, NO_UNION, VOID } from './schema.ts';

/** Words of a data section, and pointers of a struct, that 16 bits can count. */
const MAX_SECTION = 0xffff;

/** A field of a text. */
export interface TextField extends FieldNode {
  /** Its default as written, in the scope of the struct. */
  readonly value: Expression | undefined;
}

/** A struct or group of a text. */
export interface TextStruct extends StructNode {
  readonly fields: () => readonly TextField[];
  /** The struct's declaration, also for a group. */
  readonly declaration: Declaration;
  readonly dataWords: number;
  readonly pointers: number;
  /** Index of the field with the lowest number. */
  readonly first: number;
}

/** The structs and enums of texts: each is laid out when it is first needed. */
export class TextNodes implements SchemaNodes {
  readonly #names: Names;
  readonly #structs = new Map<NodeId, TextStruct>();
  #groups = 0;

  constructor(names: Names) {
    this.#names = names;
  }

  struct(id: NodeId): TextStruct | undefined {
    const declaration = this.#names.declaration(id);
    if (!this.#structs.has(id) && declaration?.kind === 'struct') this.#layOut(declaration);
    return this.#structs.get(id);
  }

  enum(id: NodeId): { name: string; names: string[] } | undefined {
    const declaration = this.#names.declaration(id);
    return declaration?.kind === 'enum' ? { name: nameOf(declaration), names: [...declaration.enumerants] } : undefined;
  }

  #layOut(declaration: Declaration): void {
    // The numbers of groups are below those of declarations.
    const layout = new Layout(declaration, this.#names, () => (this.#groups -= 1));
    for (const group of layout.groups) this.#structs.set(group.id, layout.structOf(group));
  }
}

const NO_FIELD = { offset: 0, value: undefined, group: undefined, default: (): typeof NO_DEFAULT => NO_DEFAULT };

/** A struct, or a group or a union with a name, while its struct is laid out. */
class Group {
  readonly id: NodeId;
  readonly name: string;
  /** Fields with their position in the text, in the order of their numbers. */
  readonly fields: { readonly position: number; readonly field: TextField }[] = [];
  union: UnionSpace | undefined = undefined;
  /** Members of the union that have a discriminant. */
  discriminants = 0;
  /** Fields of the text so far. */
  positions = 0;
  /** Adds its own field to the parent. */
  readonly #enter: () => void;
  #entered = false;

  constructor(id: NodeId, name: string, enter: () => void) {
    this.id = id;
    this.name = name;
    this.#enter = enter;
  }

  /** Adds the group to its parent, once. A group comes with its first field. */
  enter(): void {
    if (this.#entered) return;
    this.#entered = true;
    this.#enter();
  }
}

/** A field or a numbered union, to be placed in the order of the numbers. */
interface Numbered {
  readonly ordinal: number;
  readonly member: Member;
  readonly place: () => void;
}

/** Lays out one struct with its groups. */
class Layout {
  readonly groups: Group[] = [];
  readonly #declaration: Declaration;
  readonly #names: Names;
  readonly #space = new StructSpace();
  readonly #numbered: Numbered[] = [];
  readonly #nextId: () => number;

  constructor(declaration: Declaration, names: Names, nextId: () => number) {
    this.#declaration = declaration;
    this.#names = names;
    this.#nextId = nextId;
    const root = new Group(declaration.id, nameOf(declaration), () => undefined);
    this.groups.push(root);
    this.#members(declaration.members, root, this.#space, new Set());
    const ordinals = new Ordinals();
    for (const { ordinal, member } of this.#numbered) ordinals.add(ordinal, member.fail);
    ordinals.check();
    for (const { place } of this.#numbered.toSorted((a, b) => a.ordinal - b.ordinal)) place();
    for (const group of this.groups) {
      group.union?.addDiscriminant();
      group.enter();
    }
    const { dataWords, pointers } = this.#space;
    if (dataWords > MAX_SECTION || pointers > MAX_SECTION)
      declaration.fail(`the struct ${declaration.name} has more than ${MAX_SECTION} words or pointers`);
  }

  structOf({ name, fields, union, discriminants }: Group): TextStruct {
    const sorted = fields.toSorted((a, b) => a.position - b.position).map(({ field }) => field);
    return {
      name,
      union: discriminants > 0,
      discriminantOffset: union?.discriminant ?? 0,
      fields: () => sorted,
      declaration: this.#declaration,
      dataWords: this.#space.dataWords,
      pointers: this.#space.pointers,
      first: fields.length > 0 ? sorted.indexOf(fields[0]!.field) : -1,
    };
  }

  /** The members of a struct or group. */
  #members(members: readonly Member[], group: Group, space: Space, names: Set<string>): void {
    for (const member of members) {
      this.#name(member, names);
      if (member.kind === 'field') this.#field(member, group, space, false);
      else if (member.kind === 'group') this.#members(member.members, this.#group(member, group, false), space, new Set());
      else {
        const union = new UnionSpace(space);
        const owner = member.name === '' ? group : this.#group(member, group, false);
        if (owner.union) member.fail(`${group.name} has two unions without a name`);
        owner.union = union;
        this.#union(member, owner, union, member.name === '' ? names : new Set());
      }
    }
  }

  #union(union: Member, owner: Group, space: UnionSpace, names: Set<string>): void {
    this.#numberUnion(union, owner, space);
    for (const member of union.members) {
      this.#name(member, names);
      const own = new MemberSpace(space);
      if (member.kind === 'field') this.#field(member, owner, own, true);
      else if (member.kind === 'group') this.#members(member.members, this.#group(member, owner, true), own, new Set());
      else {
        if (member.name === '') member.fail('a union cannot contain a union without a name');
        const inner = this.#group(member, owner, true);
        inner.union = new UnionSpace(own);
        this.#union(member, inner, inner.union, new Set());
      }
    }
  }

  #name({ name, fail }: Member, names: Set<string>): void {
    if (name === '') return;
    if (names.has(name)) fail(`${name} is defined twice`);
    names.add(name);
  }

  #group(member: Member, parent: Group, isInUnion: boolean): Group {
    const position = parent.positions++;
    const id = this.#nextId();
    const type = (): never => member.fail('a group has no type');
    const group = new Group(id, `${parent.name}.${member.name}`, () => {
      this.#add(parent, position, isInUnion, { ...NO_FIELD, name: member.name, group: id, type });
    });
    this.groups.push(group);
    return group;
  }

  #field(member: Member, group: Group, space: Space, isInUnion: boolean): void {
    const position = group.positions++;
    const place = (): void => {
      const type = this.#names.type(member.type!, this.#declaration);
      const added = this.#add(group, position, isInUnion, { ...NO_FIELD, name: member.name, value: member.default, type: () => type });
      added.offset = placeOf(type.which, space);
    };
    this.#numbered.push({ ordinal: member.ordinal!, member, place });
  }

  #numberUnion(member: Member, group: Group, space: UnionSpace): void {
    if (member.ordinal === undefined) return;
    const place = (): void => {
      group.enter();
      if (!space.addDiscriminant()) member.fail('the number of a union can be above that of only one of its members');
    };
    this.#numbered.push({ ordinal: member.ordinal, member, place });
  }

  #add(group: Group, position: number, isInUnion: boolean, field: Omit<TextField, 'discriminant'>): TextField {
    group.enter();
    const discriminant = isInUnion ? group.discriminants++ : NO_UNION;
    const added = { ...field, discriminant };
    group.fields.push({ position, field: added });
    return added;
  }
}

/** Places a field of a type. Its offset is in units of its size, or counts pointers. */
function placeOf(type: number, space: Space): number {
  if (isPointer(type)) return space.addPointer();
  if (type !== VOID) return space.addData(Math.log2(BITS[type]!));
  space.addVoid();
  return 0;
}
