import type { IncomingHttpHeaders } from 'node:http';

export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body; null when it was none. */
  body: {
    model: string;
    messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
    stream?: boolean;
    max_tokens?: number;
    temperature?: number;
    service_tier?: string;
  };
  scenario: string;
  key: string;
  /** Milliseconds since 1970. */
  at: number;
  /** True once the caller left before the answer was over. */
  aborted: boolean;
}

export interface KeyState {
  requests: number;
  /** How many requests came to the gate. */
  reached: number;
  ended: number;
  aborted: number;
  /** Whether the gate is open. */
  open: boolean;
}

export interface ModelServerState {
  /** Requests being answered. */
  open: number;
  total: number;
  aborted: number;
  keys: Record<string, KeyState>;
}

export interface ModelServer {
  /** The base URL of the provider, ending in /v1. Controls are at the same origin. */
  url: string;
  port: number;
  requests: RecordedRequest[];
  /** Forgets requests and keys; the counter of the default scenario goes on. */
  reset(): void;
  open(key?: string): void;
  shut(key?: string): void;
  /** True once so many requests stood at the gate; false after 20 s. */
  reached(key?: string, times?: number): Promise<boolean>;
  /** True once so many requests with the key are over; false after 20 s. */
  ended(key?: string, times?: number): Promise<boolean>;
  state(): ModelServerState;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/** Starts the scripted model server; its scenarios and controls are listed in model-server.mjs. */
export function startModelServer(options?: { port?: number; host?: string }): Promise<ModelServer>;

export const SPLIT_UTF8_TEXT: string;
export const SPLIT_SURROGATE_TEXT: string;
export const DRAFT_TEXT: string;
export const NOISE_TEXT: string;
export const SUGGESTIONS: readonly string[];
