// A client of House Rules: typed calls, tokens that are renewed, requests that are repeated, and a stream that resumes.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.js";
import { nothingHeard, read, reduce, type Following, type News } from "./news.js";
import { patient, sleep, type Patience } from "./patience.js";

export type { components, paths } from "./api.js";
export * from "./games.js";
export * from "./news.js";

type Schemas = components["schemas"];
export type Problem = Schemas["Problem"];
export type SignedIn = Schemas["SignedIn"];

/** The server refused; `problem.code` is for programs, `problem.detail` for people. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
  }
}

export interface Settings {
  /** Where the server is: `https://play.example`. */
  baseUrl: string;
  /** In which language it speaks. */
  language?: "ko" | "en" | "es";
  patience?: Patience;
  /** For tests, and where there is no global fetch. */
  fetch?: (request: Request) => Promise<Response>;
  /** Told of new tokens, so that they can be kept. A refresh token works once. */
  onSignedIn?: (tokens: SignedIn) => void;
}

export class HouseRules {
  /** Every call of the API, with its types: `well(house.api.GET("/api/v1/games"))`. */
  readonly api: Client<paths>;
  private tokens: SignedIn | undefined;
  private readonly send: (request: Request) => Promise<Response>;
  private renewal: Promise<void> | undefined;

  constructor(private readonly settings: Settings) {
    const patience = settings.patience ?? { attempts: 5, pause: 500 };
    this.send = patient(settings.fetch ?? ((request) => fetch(request)), patience);
    this.api = createClient<paths>({ baseUrl: settings.baseUrl, fetch: (request) => this.signedSend(request) });
  }

  /** Who is signed in. */
  get player(): Schemas["PlayerCard"] | undefined {
    return this.tokens?.player;
  }

  /** A guest needs no more than a name. */
  async playAsGuest(display_name: string): Promise<SignedIn> {
    return this.keep(await well(this.api.POST("/api/v1/auth/guest", { body: { display_name } })));
  }

  /** Goes on with tokens that were kept. */
  resume(tokens: SignedIn): void {
    this.tokens = tokens;
  }

  private keep(tokens: SignedIn): SignedIn {
    this.tokens = tokens;
    this.settings.onSignedIn?.(tokens);
    return tokens;
  }

  /** With the token; once more with a new one if it has expired. */
  private async signedSend(request: Request): Promise<Response> {
    if (this.settings.language !== undefined) request.headers.set("accept-language", this.settings.language);
    if (request.method === "POST" && !request.headers.has("idempotency-key")) {
      request.headers.set("idempotency-key", crypto.randomUUID());
    }
    const again = request.clone();
    const response = await this.send(this.signed(request));
    if (response.status !== 401 || this.tokens === undefined) return response;
    const problem = (await response.clone().json()) as Problem;
    if (problem.code !== "token_expired") return response;
    await (this.renewal ??= this.renew().finally(() => (this.renewal = undefined)));
    return this.send(this.signed(again));
  }

  private signed(request: Request): Request {
    if (this.tokens !== undefined) request.headers.set("authorization", `Bearer ${this.tokens.access_token}`);
    return request;
  }

  private async renew(): Promise<void> {
    const refresh_token = this.tokens?.refresh_token ?? "";
    this.tokens = undefined;
    this.keep(await well(this.api.POST("/api/v1/auth/refresh", { body: { refresh_token } })));
  }

  /** The news of a match, from after this version to its end. Goes on after a break where it broke off. */
  async *news(match: string, after = -1, signal?: AbortSignal): AsyncGenerator<News> {
    let heard = after;
    while (!signal?.aborted) {
      const header = heard < 0 ? {} : { "Last-Event-ID": heard };
      const params = { path: { id: match }, header };
      const { data, error, response } = await this.api.GET("/api/v1/matches/{id}/stream", {
        params,
        parseAs: "stream",
        ...(signal === undefined ? {} : { signal }),
      });
      if (response.status === 204) return;
      if (error !== undefined) throw new Refused(error);
      try {
        for await (const news of read(data as unknown as ReadableStream<Uint8Array>)) {
          if (news.kind === "frame") heard = news.frame.version;
          if (news.kind === "status") heard = news.version ?? heard;
          yield news;
        }
      } catch {
        // The network broke; so it is as if the stream had ended.
      }
      if (!signal?.aborted) await sleep(this.settings.patience?.pause ?? 500);
    }
  }

  /** What is known of a match, after each piece of news. */
  async *follow(match: string, known: Following = nothingHeard, signal?: AbortSignal): AsyncGenerator<Following> {
    for await (const news of this.news(match, known.version, signal)) {
      known = reduce(known, news);
      yield known;
    }
  }
}

/** The answer, or `Refused`. */
export async function well<T>(answered: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error } = await answered;
  if (error !== undefined) throw new Refused(error as Problem);
  return data as T;
}
