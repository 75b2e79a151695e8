// Plays a match of every game with the client, over a network that loses answers and cuts streams:
// `node out/test/evening.js http://127.0.0.1:8080`. Prints what `tests/it/client.rs` compares, as JSON.

import { deepStrictEqual, ok } from "node:assert/strict";
import { HouseRules, Refused, isViewOf, well, type Following, type GameTypes } from "../src/index.js";

/**
 * Every third answer to a POST is lost after the server has done what was asked, of one request three at most; every stream breaks
 * off after some news.
 */
function badNetwork() {
  let posts = 0;
  const lost = { posts: 0, streams: 0 };
  const losses = new Map<string, number>();
  const fetchBadly = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    const key = request.headers.get("idempotency-key") ?? request.url;
    const before = losses.get(key) ?? 0;
    if (request.method === "POST" && ++posts % 3 === 0 && before < 3) {
      losses.set(key, before + 1);
      lost.posts += 1;
      await response.arrayBuffer();
      throw new TypeError("the answer was lost");
    }
    if (!request.url.endsWith("/stream") || response.body === null || response.status !== 200) return response;
    lost.streams += 1;
    return new Response(cut(response.body, 4), { status: response.status, headers: response.headers });
  };
  return { fetchBadly, lost };
}

function cut(body: ReadableStream<Uint8Array>, chunks: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = chunks;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      left -= 1;
      if (left > 0) return;
      await reader.cancel();
      controller.error(new TypeError("the stream was cut"));
    },
    cancel: () => reader.cancel(),
  });
}

async function play(house: HouseRules, id: string): Promise<number> {
  let made = 0;
  const path = { id };
  for (let seen = await well(house.api.GET("/api/v1/matches/{id}/view", { params: { path } })); seen.status === "running"; ) {
    const chosen = seen.legal_moves[Math.floor(Math.random() * seen.legal_moves.length)];
    if (chosen !== undefined) {
      try {
        await well(house.api.POST("/api/v1/matches/{id}/moves", { params: { path }, body: { move: chosen, version: seen.version } }));
        made += 1;
      } catch (err) {
        if (!(err instanceof Refused && err.problem.code === "version_conflict")) throw err;
      }
    }
    const query = chosen === undefined ? { after: seen.version, wait: 20 } : {};
    seen = await well(house.api.GET("/api/v1/matches/{id}/view", { params: { path, query } }));
  }
  return made;
}

/** A bid of Perudo as its own type has it: this compiles because the document knows the game's words. */
function highest(view: GameTypes["perudo"]["view"]): number {
  return Math.max(0, ...view.bids.map((bid) => bid.count));
}

async function evening(baseUrl: string, game: string, seats: number) {
  const { fetchBadly, lost } = badNetwork();
  const patience = { attempts: 6, pause: 5 };
  const guests = await Promise.all(
    Array.from({ length: seats }, async (_, number) => {
      const house = new HouseRules({ baseUrl, language: "ko", patience, fetch: fetchBadly });
      await house.playAsGuest(`하늘 ${number + 1}`);
      return house;
    }),
  );
  const [host] = guests;
  ok(host !== undefined);
  const { id } = await well(host.api.POST("/api/v1/matches", { body: { game, seats } }));
  for (const guest of guests) {
    await well(guest.api.POST("/api/v1/matches/{id}/seats", { params: { path: { id } }, body: { nonce: "행운" } }));
  }
  const { commitment } = await well(host.api.POST("/api/v1/matches/{id}/start", { params: { path: { id } } }));
  const heard = (async () => {
    let known: Following | undefined;
    for await (const following of host.follow(id)) known = following;
    return known;
  })();
  const moves = await Promise.all(guests.map((guest) => play(guest, id)));
  const known = await heard;
  const over = await well(host.api.GET("/api/v1/matches/{id}", { params: { path: { id } } }));
  const record = await well(host.api.GET("/api/v1/matches/{id}/record", { params: { path: { id } } }));
  ok(over.view !== undefined && over.view !== null);
  if (isViewOf("perudo", over.view)) ok(highest(over.view) >= 0);
  deepStrictEqual(record.commitment, commitment);
  deepStrictEqual(known?.frames.map((frame) => frame.version), Array.from({ length: over.version + 1 }, (_, version) => version));
  return { game, status: over.status, heard: known?.status?.status, version: over.version, moves, lost, record };
}

const [baseUrl = "http://127.0.0.1:8080", ...games] = process.argv.slice(2);
const { items } = await well(new HouseRules({ baseUrl }).api.GET("/api/v1/games"));
const wanted = items.filter((game) => games.length === 0 || games.includes(game.id));
const evenings = [];
for (const game of wanted) evenings.push(await evening(baseUrl, game.id, game.seats.min));
console.log(JSON.stringify(evenings));
