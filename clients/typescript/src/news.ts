// Server-sent events as a match's news, and what they add up to.

import type { components } from "./api.js";

export type Frame = components["schemas"]["EventFrame"];
export type MatchStatus = components["schemas"]["MatchStatus"];
export type MatchReaction = components["schemas"]["MatchReaction"];

/** A reaction is heard once, by those who listen when it is sent. */
export type News =
  | { kind: "frame"; frame: Frame }
  /** Once the match is over, with its last version. */
  | { kind: "status"; status: MatchStatus; version?: number | undefined }
  | { kind: "reaction"; reaction: MatchReaction };

/** What one knows of a match from its news. */
export interface Following {
  /** The version of the last frame; -1 before the first. */
  version: number;
  status: MatchStatus | undefined;
  /** All frames, by version. */
  frames: readonly Frame[];
}

export const nothingHeard: Following = { version: -1, status: undefined, frames: [] };

/** A frame is missing: the news was not that of one match, or not all of it. */
export class Gap extends Error {
  constructor(
    readonly expected: number,
    readonly heard: number,
  ) {
    super(`version ${heard} came where ${expected} was due`);
  }
}

/** Adds what was heard. A frame that comes again changes nothing, nor does a reaction. */
export function reduce(known: Following, news: News): Following {
  if (news.kind === "status") return { ...known, status: news.status };
  if (news.kind === "reaction") return known;
  const due = known.version + 1;
  if (news.frame.version < due) return known;
  if (news.frame.version > due) throw new Gap(due, news.frame.version);
  return { ...known, version: due, frames: [...known.frames, news.frame] };
}

/** The news in a stream of bytes. */
export async function* read(bytes: ReadableStream<Uint8Array>): AsyncGenerator<News> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = bytes.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const news = parse(block);
        if (news !== undefined) yield news;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): News | undefined {
  let kind = "";
  let data = "";
  let id: number | undefined;
  for (const line of block.split("\n")) {
    if (line.startsWith("id:")) id = Number(line.slice(3));
    if (line.startsWith("event:")) kind = line.slice(6).trim();
    if (line.startsWith("data:")) data += line.slice(5);
  }
  if (kind === "frame") return { kind, frame: JSON.parse(data) as Frame };
  if (kind === "status") return { kind, status: JSON.parse(data) as MatchStatus, version: id };
  if (kind === "reaction") return { kind, reaction: JSON.parse(data) as MatchReaction };
  // A heartbeat, or news of a kind that came later.
  return undefined;
}
