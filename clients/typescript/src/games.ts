// The types of each game, by the id that a match names: `GameTypes["perudo"]["move"]`.

import type { components } from "./api.js";

type Schemas = components["schemas"];

type Named<Name extends string> = Name extends keyof Schemas ? Schemas[Name] : never;

/** Every game has a `…RecordMove`; what stands before is how its other types begin. */
type Prefix<Name> = Name extends `${infer Start}RecordMove` ? Start : never;

type IdOf<Start extends string> = Named<`${Start}Record`> extends { game: infer Id extends string } ? Id : never;

/** What the games of the document say in a form of their own. */
export type GameTypes = {
  [Name in keyof Schemas as IdOf<Prefix<Name>>]: {
    options: Named<`${Prefix<Name>}Options`>;
    move: Named<`${Prefix<Name>}Move`>;
    event: Named<`${Prefix<Name>}Event`>;
    view: Named<`${Prefix<Name>}View`>;
    outcome: Named<`${Prefix<Name>}Outcome`>;
    record: Named<`${Prefix<Name>}Record`>;
  };
};

export type GameId = keyof GameTypes;

/** Whether this view is of that game; then it has the types of that game. */
export function isViewOf<Id extends GameId>(game: Id, view: { game: string }): view is GameTypes[Id]["view"] & { game: string } {
  return view.game === game;
}
