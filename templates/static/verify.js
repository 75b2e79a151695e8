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

  // What is shuffled or picked from, in its canonical order.
  const words = text => text.split(' ');
  const CLUE_CARDS = [...[...'SHDC'].flatMap(suit => [...'1234'].map(rank => suit + rank)), 'JK'];
  const ANIMALS = words('lion crocodile eagle snake crow hyena toad cuckoo chameleon water_deer');
  const CHARACTERS = words('gravity push delete offer with union mirror copy reset silence');
  const SUITS = words('anchor hook cannon key chest map oracle sword kraken mermaid');
  const VARIANTS = words('thieves_island pile_o_treasure sudden_death all_hands_on_deck strange_lands beneath_the_waves');
  const TRAITS = words('golden_scales casanova plunderer treasure_hunter navigator master_gunner scavenger mystic swordsman ' +
    'miser captains_hook safe_harbor fisherman beastmaster misfire parry davy_jones siren');
  const upTo = count => Array.from({ length: count }, (_, i) => i);

  const roll = (told, _, below) =>
    ({ seat: told.seat, dice: told.dice.map(() => below(6) + 1).sort((a, b) => a - b) });
  const KINDS = {
    roll,
    start_roll: roll,
    first_seat: (_, record, below) => below(record.seats),
    deck(_, record, below) {
      if (record.game === 'hogu-clue') return shuffle(CLUE_CARDS, below);
      // Dead Man's Draw: a suit's lowest card is not in the pile; mermaids are higher, but for one option.
      const lowest = suit => (suit === 'mermaid' && !record.options.mermaid_rules ? 5 : 3);
      return shuffle(SUITS.flatMap(suit => upTo(5).map(more => `${suit}-${lowest(suit) + more}`)), below);
    },
    traits(told, record, below) {
      const each = told[0].length;
      const dealt = sample(record.options.mermaid_rules ? TRAITS : TRAITS.slice(0, -1), each * record.seats, below);
      return upTo(record.seats).map(seat => dealt.slice(seat * each, (seat + 1) * each));
    },
    game_variant: (_told, _record, below) => VARIANTS[below(VARIANTS.length)],
    animals: (_told, _record, below) => shuffle(ANIMALS, below),
    characters: (_, record, below) => sample(CHARACTERS, record.seats, below),
    draft_order: (_, record, below) => shuffle(upTo(record.seats), below),
  };
  // Picked from a discard pile, and only the rules know what lies there: `rules verify` replays them.
  const LEFT_TO_THE_RULES = ['map_reveal', 'bonus'];

  const inOrder = value => JSON.stringify(value, (_, it) =>
    (it && typeof it === 'object' && !Array.isArray(it) ? Object.fromEntries(Object.entries(it).sort()) : it));

  /** `problem` is null, 'commitment' or the number of the first outcome that the seed does not give. */
  root.verifyRecord = (record, commitment = record.commitment) => {
    const seed = unhex(record.seed);
    const outcomes = record.log.filter(entry => entry.chance).map(entry => Object.entries(entry.chance)[0]);
    const found = { problem: null, checked: 0, left: 0 };
    if (hex(sha256(seed)) !== commitment || record.commitment !== commitment) return { ...found, problem: 'commitment' };
    const said = record.nonces.map(nonce => utf8.encode(nonce ?? ''));
    const nonces = sha256(join(...said.flatMap(nonce => [big(nonce.length, 4), nonce])));
    for (const [index, [kind, told]] of outcomes.entries()) {
      if (LEFT_TO_THE_RULES.includes(kind)) { found.left += 1; continue; }
      const drawn = KINDS[kind]?.(told, record, numbers(seed, nonces, index));
      if (inOrder(drawn) !== inOrder(told)) return { ...found, problem: index };
      found.checked += 1;
    }
    return found;
  };
})(globalThis);
