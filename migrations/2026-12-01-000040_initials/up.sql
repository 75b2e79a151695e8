-- A name without case, accents, spaces and punctuation, as `titles.search_text` has it. `names.rs` of the cafe folds the query alike.
CREATE FUNCTION folded(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN translate(
        lower(normalize(name, NFC)),
        'áàâäãéèêëíìîïóòôöõúùûüñç -_.,:;!?''"’“”·()&/', 'aaaaaeeeeiiiiooooouuuunc'
    );

-- The same with each Korean syllable as the plain consonant it begins with: people are looked for by these alone.
CREATE FUNCTION initials(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (
        SELECT string_agg(
            CASE WHEN ascii(letter) BETWEEN 44032 AND 55203
                THEN substr('ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ', (ascii(letter) - 44032) / 588 + 1, 1)
                ELSE translate(letter, 'ㄲㄸㅃㅆㅉ', 'ㄱㄷㅂㅅㅈ')
            END, '' ORDER BY at
        )
        FROM string_to_table(folded(name), NULL) WITH ORDINALITY AS letters (letter, at)
    );

CREATE INDEX players_initials_idx ON players USING gin (ngrams(initials(display_name)))
    WHERE deleted_at IS NULL AND merged_into IS NULL;
