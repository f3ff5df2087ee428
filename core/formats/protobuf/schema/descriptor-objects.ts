import { MESSAGES } from './descriptor-schema.ts';
import type { FileDescriptor } from './descriptors.ts';
import { jsonNameOf } from './definitions.ts';

/** A file of protobuf-es: its FileDescriptorProto as an object, and those of the files that it imports. */
export interface DescriptorFile {
  readonly proto: object;
  readonly dependencies: readonly DescriptorFile[];
}

/** The descriptors of a file and of those that it imports, directly or not. */
export function descriptorsOf(file: DescriptorFile): FileDescriptor[] {
  const files = new Set([file]);
  for (const { dependencies } of files) for (const each of dependencies) files.add(each);
  return [...files].map(({ proto }) => copy(proto, 'FileDescriptorProto') as unknown as FileDescriptor);
}

/** The fields of a message that are set. Those that are not have a default, which is not the object's own. */
function copy(message: object, type: string): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const line of MESSAGES[type]!) {
    const [name, , typeText] = line.split(' ') as [string, string, string];
    const key = jsonNameOf(name);
    const value = Object.hasOwn(message, key) ? (message as Record<string, unknown>)[key] : undefined;
    const inner = typeText.replace('*', '');
    if (typeText.endsWith('*')) {
      const list = (value ?? []) as unknown[];
      result[name] = inner in MESSAGES ? list.map((item) => copy(item as object, inner)) : [...list];
    } else if (value !== undefined) {
      result[name] = inner in MESSAGES ? copy(value as object, inner) : value;
    }
  }
  return result;
}
