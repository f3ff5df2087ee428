import { formatJson } from './format-json.ts';
import { formatXml } from './format-xml.ts';
import type { Language } from '../file-types/language.ts';

/** Formats a text body. Loads the code for HTML, CSS and JavaScript on first use. */
export async function formatText(bytes: Uint8Array, language: Language): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextDecoder().decode(bytes);
  return new TextEncoder().encode(await formatted(text, language));
}

async function formatted(text: string, language: Language): Promise<string> {
  if (language === 'json') return formatJson(text);
  if (language === 'xml') return formatXml(text);
  const { formatCode } = await import('./format-code.ts');
  return formatCode(text, language);
}
