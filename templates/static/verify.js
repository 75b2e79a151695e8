// Checks a finished match's chance in the browser: docs/fairness.md, version 1. It needs no `crypto.subtle`, which browsers
// keep from pages that come without TLS.
((root) => {
  'use strict';
  const utf8 = new TextEncoder();
  const big = (number, bytes) => {
    const out = new Uint8Array(bytes);
    for (let at = bytes - 1, rest = number; at >= 0; at -= 1, rest = Math.floor(rest / 256)) out[at] = rest % 256;
    return out;
  };
  const join = (...parts) => {
    const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) { out.set(part, at); at += part.length; }
    return out;
  };
  const hex = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  const unhex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));

  // SHA-256, FIPS 180-4: its constants are parts of the roots of the first primes.
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every(prime => n % prime)) primes.push(n);
  const fraction = root => Math.floor((root - Math.floor(root)) * 2 ** 32);
  const ROUNDS = primes.map(prime => fraction(Math.cbrt(prime)));
  const START = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)));
  const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

  function sha256(message) {
    const padded = join(message, [0x80], new Uint8Array((119 - message.length % 64) % 64), big(message.length * 8, 8));
    const view = new DataView(padded.buffer);
    const state = [...START];
    const w = new Array(64);
    for (let block = 0; block < padded.length; block += 64) {
      for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + i * 4);
      for (let i = 16; i < 64; i += 1) {
        const [early, late] = [w[i - 15], w[i - 2]];
        const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
        const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
        w[i] = (w[i - 16] + low + w[i - 7] + high) | 0;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i += 1) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] = (state[i] + word) | 0; });
    }
    return join(...state.map(word => big(word >>> 0, 4)));
  }

  // HMAC (RFC 2104) under a key that is shorter than a block.
  function hmac(key, message) {
    const pad = byte => join(key, new Uint8Array(64 - key.length)).map(it => it ^ byte);
    return sha256(join(pad(0x5c), sha256(join(pad(0x36), message))));
  }

  // The numbers of outcome `index`: a function that gives the next one below n.
  function numbers(seed, nonces, index) {
    const prefix = join(utf8.encode('house-rules/chance/1'), nonces, big(index, 8));
    let block = new DataView(new ArrayBuffer(0)), blocks = 0, at = 0;
    const word = () => {
      if (at === block.byteLength) {
        block = new DataView(hmac(seed, join(prefix, big(blocks, 4))).buffer);
        [blocks, at] = [blocks + 1, 0];
      }
      at += 4;
      return block.getUint32(at - 4);
    };
    return n => {
      for (;;) {
        const drawn = word();
        if (drawn < Math.floor(2 ** 32 / n) * n) return drawn % n;
      }
    };
  }

  function shuffle(list, below) {
    const items = [...list];
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = below(last + 1);
      [items[last], items[other]] = [items[other], items[last]];
    }
    return items;
  }
  function sample(list, many, below) {
    const items = [...list];
    for (let place = 0; place < Math.min(many, items.length); place += 1) {
      const other = place + below(items.length - place);
      [items[place], items[other]] = [items[other], items[place]];
    }
    return items.slice(0, many);
  }

  // What one way of drawing gives, as a list.
  const WAYS = {
    below: (n, below) => [below(n)],
    dice: (many, below) => Array.from({ length: many }, () => below(6) + 1).sort((a, b) => a - b),
    shuffle,
    one_of: (items, below) => [items[below(items.length)]],
    sample: ({ of, many }, below) => sample(of, many, below),
  };
  const draw = (how, below) => Object.entries(how).flatMap(([way, of]) => WAYS[way]?.(of, below) ?? [null]);

  // Everything in an outcome but whose it is, in order.
  const leaves = told => (told && typeof told === 'object' ?
    Object.entries(told).flatMap(([key, value]) => (key === 'seat' ? [] : leaves(value))) : [told]);

  /** `problem` is null, 'commitment' or the number of the first outcome that the seed does not give. */
  root.verifyRecord = (record, commitment = record.commitment) => {
    const seed = unhex(record.seed);
    const outcomes = record.log.filter(entry => entry.chance);
    const found = { problem: null, checked: 0, left: 0 };
    if (hex(sha256(seed)) !== commitment || record.commitment !== commitment) return { ...found, problem: 'commitment' };
    const said = record.nonces.map(nonce => utf8.encode(nonce ?? ''));
    const nonces = sha256(join(...said.flatMap(nonce => [big(nonce.length, 4), nonce])));
    for (const [index, { chance, drawn }] of outcomes.entries()) {
      if (!drawn) { found.left += 1; continue; }
      const below = numbers(seed, nonces, index);
      const again = drawn.flatMap(how => draw(how, below));
      if (JSON.stringify(again) !== JSON.stringify(leaves(chance))) return { ...found, problem: index };
      found.checked += 1;
    }
    return found;
  };
})(globalThis);
