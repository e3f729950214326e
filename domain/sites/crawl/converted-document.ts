/** A node of a document of TipTap, as JSON. */
export interface BlockJson {
  type: string;
  attrs?: Record<string, unknown>;
  content?: BlockJson[];
  marks?: MarkJson[];
  text?: string;
}

export interface MarkJson {
  type: string;
  attrs?: Record<string, unknown>;
}

export interface ConvertedDocument {
  document: BlockJson;
  /** Whether the end of the page was left out, because documents have bounds. */
  isCut: boolean;
}
