import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { readChatFile } from '../../src/features/conversation/files/chat-file-read.ts';
import { renderChatFile } from '../../src/features/conversation/files/chat-file-write.ts';
import type { ChatHeader, MessageRecord } from '../../src/features/conversation/files/chat-record.ts';

/** The time of every parse. */
export const NOW = Date.parse('2026-01-02T03:04:05.006Z');

/** Reads a file in another program's format from `chats`. */
export function readFixture(name: string): string {
  return readFileSync(new URL(`./chats/${name}.jsonl`, import.meta.url), 'utf8');
}

export const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface ParsedChat {
  header: ChatHeader | null;
  messages: MessageRecord[];
  bad: { line: number; reason: string } | null;
}

/** Parses a file that arrives in pieces of this size. */
export async function parseChatFile(file: string | Uint8Array, pieceBytes = 1 << 16): Promise<ParsedChat> {
  const bytes = typeof file === 'string' ? encodeUtf8(file) : file;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  let ids = 0;
  const chat: ParsedChat = { header: null, messages: [], bad: null };
  for await (const said of readChatFile(pieces, { now: NOW, newId: () => `id-${(ids += 1)}` })) {
    expect(chat.bad).toBeNull();
    if (said.kind === 'header') chat.header = said.header;
    if (said.kind === 'message') chat.messages.push(said.record);
    if (said.kind === 'bad') chat.bad = { line: said.line, reason: said.reason };
  }
  return chat;
}

/** Parses a file without bad lines. */
export async function parseValidChatFile(
  file: string | Uint8Array,
  pieceBytes?: number,
): Promise<ParsedChat & { header: ChatHeader }> {
  const chat = await parseChatFile(file, pieceBytes);
  expect(chat.bad).toBeNull();
  expect(chat.header).not.toBeNull();
  return chat as ParsedChat & { header: ChatHeader };
}

/** Writes a conversation's file from pages of this many messages. */
export async function writeChatFile(
  header: ChatHeader,
  messages: MessageRecord[],
  perPage = 3,
): Promise<string> {
  async function* pages() {
    for (let at = 0; at < messages.length; at += perPage) yield messages.slice(at, at + perPage);
  }
  let text = '';
  for await (const piece of renderChatFile(header, pages())) text += piece;
  return text;
}

/** Parses each line of a file. */
export const parseLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const omitId = <T extends { id: string }>(thing: T): Omit<T, 'id'> => {
  const { id, ...rest } = thing;
  return id === undefined ? thing : rest;
};

/** A message without its generated fields. */
export const omitGenerated = (message: MessageRecord) => ({
  ...omitId(message),
  versions: message.versions.map(omitId),
});
