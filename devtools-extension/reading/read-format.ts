import type { FormatId } from '../../core/formats/registry.ts';

/** Formats that the panel reads by itself: the library has none of them. */
export const PANEL_FORMATS = ['thrift-compact', 'thrift-binary'] as const;

export type PanelFormatId = (typeof PANEL_FORMATS)[number];

/** What a body can be read as. */
export type ReadFormat = FormatId | PanelFormatId;

export function isPanelFormat(format: string | undefined): format is PanelFormatId {
  return PANEL_FORMATS.some((id) => id === format);
}

/** A format of the library; undefined for those that the panel alone reads. */
export function libraryFormat(format: ReadFormat | undefined): FormatId | undefined {
  return isPanelFormat(format) ? undefined : format;
}
