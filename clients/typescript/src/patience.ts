// A fetch that a bad network does not bother: what is asked again is done once.

export interface Patience {
  /** How often a request is sent at most. */
  attempts: number;
  /** How many milliseconds to wait before the second attempt, doubled before each further one. */
  pause: number;
}

const AGAIN = new Set([408, 429, 502, 503, 504]);

/** Sends a request again when no answer came, or one that says so. Every POST has an `Idempotency-Key`, the same each time. */
export function patient(fetch: (request: Request) => Promise<Response>, { attempts, pause }: Patience) {
  return async (request: Request): Promise<Response> => {
    if (request.method === "POST" && !request.headers.has("idempotency-key")) {
      request.headers.set("idempotency-key", crypto.randomUUID());
    }
    for (let attempt = 1; ; attempt += 1) {
      const wait = pause * 2 ** (attempt - 1);
      try {
        const response = await fetch(request.clone());
        if (attempt >= attempts || !(AGAIN.has(response.status) || (await isInUse(response)))) return response;
        await sleep(retryAfter(response) ?? wait);
      } catch (err) {
        if (attempt >= attempts || request.signal.aborted) throw err;
        await sleep(wait);
      }
    }
  };
}

/** The first attempt is still being answered. */
async function isInUse(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const problem = (await response.clone().json()) as { code?: string };
  return problem.code === "idempotency_key_in_use";
}

function retryAfter(response: Response): number | undefined {
  const seconds = response.headers.get("retry-after");
  return seconds === null ? undefined : Number(seconds) * 1000;
}

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
