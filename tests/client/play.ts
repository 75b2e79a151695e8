// From sign-in to a finished match, knowing the API from its OpenAPI document only: `node out/play.js http://127.0.0.1:8080`.
// Prints what the tests compare, as JSON.

import { deepStrictEqual, ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type Problem = Schemas["Problem"];

class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
  }
}

async function well<T>(answered: Promise<{ data?: T; error?: Problem; response: Response }>): Promise<T> {
  const { data, error } = await answered;
  if (error !== undefined) throw new Refused(error);
  return data as T;
}

const key = () => ({ "Idempotency-Key": randomUUID() });

class Guest {
  private constructor(
    private readonly api: Client<paths>,
    readonly card: Schemas["PlayerCard"],
  ) {}

  static async signIn(baseUrl: string, name: string): Promise<Guest> {
    const api = createClient<paths>({ baseUrl });
    const header = key();
    const signIn = () => well(api.POST("/api/v1/auth/guest", { params: { header }, body: { display_name: name } }));
    const { access_token, player } = await signIn();
    // The first answer was lost, says the phone; it asks again and is the same guest.
    deepStrictEqual((await signIn()).player, player);
    api.use({
      onRequest({ request }) {
        request.headers.set("authorization", `Bearer ${access_token}`);
        return request;
      },
    });
    return new Guest(api, player);
  }

  games() {
    return well(this.api.GET("/api/v1/games"));
  }

  make(game: string, seats: number) {
    return well(this.api.POST("/api/v1/matches", { params: { header: key() }, body: { game, seats } }));
  }

  find(code: string) {
    return well(this.api.GET("/api/v1/matches/by-code/{code}", { params: { path: { code } } }));
  }

  sit(id: string) {
    const nonce = `${this.card.display_name}의 행운`;
    return well(this.api.POST("/api/v1/matches/{id}/seats", { params: { path: { id }, header: key() }, body: { nonce } }));
  }

  start(id: string) {
    return well(this.api.POST("/api/v1/matches/{id}/start", { params: { path: { id }, header: key() } }));
  }

  match(id: string) {
    return well(this.api.GET("/api/v1/matches/{id}", { params: { path: { id } } }));
  }

  record(id: string) {
    return well(this.api.GET("/api/v1/matches/{id}/record", { params: { path: { id } } }));
  }

  view(id: string, after?: number) {
    const query = after === undefined ? {} : { after, wait: 20 };
    return well(this.api.GET("/api/v1/matches/{id}/view", { params: { path: { id }, query } }));
  }

  /** Moves at random whenever it may: how many moves it made. */
  async play(id: string): Promise<number> {
    let made = 0;
    for (let seen = await this.view(id); seen.status === "running"; ) {
      const chosen = seen.legal_moves[Math.floor(Math.random() * seen.legal_moves.length)];
      if (chosen === undefined) {
        seen = await this.view(id, seen.version);
        continue;
      }
      const params = { path: { id }, header: key() };
      const body = { move: chosen, version: seen.version };
      const move = () => well(this.api.POST("/api/v1/matches/{id}/moves", { params, body }));
      try {
        const played = await move();
        made += 1;
        deepStrictEqual(await move(), played);
      } catch (err) {
        if (!(err instanceof Refused && err.problem.code === "version_conflict")) throw err;
      }
      seen = await this.view(id);
    }
    return made;
  }

  /** The versions that the stream tells of, after this one; until it ends, or for so many. */
  async hear(id: string, after: number | undefined, most: number): Promise<number[]> {
    const header = after === undefined ? {} : { "Last-Event-ID": after };
    const stream = this.api.GET("/api/v1/matches/{id}/stream", {
      params: { path: { id }, header },
      parseAs: "stream",
    });
    const versions: number[] = [];
    let text = "";
    for await (const chunk of (await well(stream)) as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString("utf8");
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events.filter((it) => it.includes("event: frame"))) {
        versions.push(Number(/^id: ?(\d+)$/m.exec(event)?.[1]));
        // Hangs up.
        if (versions.length === most) return versions;
      }
    }
    return versions;
  }
}

async function evening(baseUrl: string, game: string, names: string[]) {
  const guests = await Promise.all(names.map((name) => Guest.signIn(baseUrl, name)));
  const [host] = guests;
  ok(host !== undefined);
  ok((await host.games()).items.some((it) => it.id === game));
  const { id, code } = await host.make(game, guests.length);
  for (const guest of guests) {
    ok((await guest.find(code)).id === id);
    await guest.sit(id);
  }
  const started = await host.start(id);
  ok(started.status === "running");
  const listening = host.hear(id, undefined, 2).then(async (first) => [...first, ...(await host.hear(id, first.at(-1), Infinity))]);
  const moves = await Promise.all(guests.map((guest) => guest.play(id)));
  const { status, version, commitment } = await host.match(id);
  return { id, status, version, commitment, moves, heard: await listening, record: await host.record(id) };
}

const [baseUrl = "http://127.0.0.1:8080", game = "perudo"] = process.argv.slice(2);
console.log(JSON.stringify(await evening(baseUrl, game, ["하늘", "Lucía", "Tom"])));
