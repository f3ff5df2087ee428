import { brandInstances } from '../../instanceof-brand.ts';
import { DecodeError } from '../../errors.ts';

/** A constructor; its inner value is `[code, arguments]`. */
export const CONSTRUCTOR = 'sia:constructor';
/** A Date of arguments other than one number; its inner value is the arguments. */
export const DATE = 'sia:date';

/** The most arguments of a call, with a margin for the stacks of engines. */
const MAX_ARGUMENTS = 10_000;

/** A value of a constructor without a registered handler. */
export class SiaConstructed {
  readonly code: number;
  readonly args: readonly unknown[];

  constructor(code: number, args: readonly unknown[]) {
    this.code = code;
    this.args = args;
  }
}

brandInstances('SiaConstructed', SiaConstructed);

/** Makes the value of one of the format's tags. */
export function reviveSia(tag: string, inner: unknown): unknown {
  switch (tag) {
    case DATE:
      return makeDate(inner as [number]);
    case CONSTRUCTOR: {
      const [code, args] = inner as [number, unknown[]];
      return new SiaConstructed(code, args);
    }
    default:
      throw new DecodeError('unsupported', `the tag ${tag} is unknown`);
  }
}

/** Creates a `reviveTag` that passes the arguments of constructors to the functions given by their code. */
export function createReviveTag(constructors: Readonly<Record<number, (...args: never[]) => unknown>>): (tag: string, inner: unknown) => unknown {
  const functions = new Map(Object.entries(constructors).map(([code, build]) => [Number(code), build]));
  return (tag, inner) => {
    const [code, args] = tag === CONSTRUCTOR ? (inner as [number, unknown]) : [];
    const build = code === undefined ? undefined : functions.get(code);
    return build === undefined ? reviveSia(tag, inner) : build(...argumentsOf(code!, args));
  };
}

/** Checks the arguments, which the payload controls. */
function argumentsOf(code: number, args: unknown): never[] {
  if (!Array.isArray(args)) throw new DecodeError('malformed', `the arguments of constructor ${code} are not an array`);
  if (args.length > MAX_ARGUMENTS) throw new DecodeError('unsupported', `the constructor ${code} has more than ${MAX_ARGUMENTS} arguments`);
  return args as never[];
}

function makeDate(args: [number]): Date {
  try {
    return new Date(...args);
  } catch (error) {
    throw new DecodeError('malformed', `invalid Date arguments: ${(error as Error).message}`);
  }
}
