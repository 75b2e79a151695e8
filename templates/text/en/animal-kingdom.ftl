animal-kingdom-name = Animal Kingdom
animal-kingdom-tagline = Ten secret animals roam four fields, hunt, rob and guess; only the dealer knows who is who
animal-kingdom-picture = Animals in forest, plain, river and sky around a question mark

animal-kingdom-option-max_rounds = Last round
animal-kingdom-option-max_rounds-help = The game ends after this round even if nobody leads alone.
animal-kingdom-option-water_deer_win = The water deer's win
animal-kingdom-option-water_deer_win-help = When the game checks whether the water deer has won.
animal-kingdom-option-water_deer_win-at_once = As soon as it has done it
animal-kingdom-option-water_deer_win-at_end = Only when the game ends
animal-kingdom-option-snake_double = Snake paid twice
animal-kingdom-option-snake_double-help = A snake that hits a predator and is attacked itself gets the points twice.
animal-kingdom-option-copied_attack_halves = Copied attacks halve
animal-kingdom-option-copied_attack_halves-help = Prey gets only half its points also when a chameleon attacks it as a predator.

animal-kingdom-refused-wrong_phase = This is not the moment: first everybody picks a field, then everybody uses a skill.
animal-kingdom-refused-must_use_skill = You have to use your skill as long as there is somebody to use it on.
animal-kingdom-refused-not_your_skill = Your animal does not have that skill; only the chameleon acts as another animal.
animal-kingdom-refused-already_copied = You have used that animal's skill before.
animal-kingdom-refused-own_seat = You cannot choose yourself.
animal-kingdom-refused-not_in_field = That skill reaches only those in your own field.
animal-kingdom-refused-already_chosen = You have chosen that player in an earlier round.

animal-kingdom-phase-moving = Moving
animal-kingdom-phase-skill = Skills
animal-kingdom-phase-finished = Game over

animal-kingdom-move-go = Go
animal-kingdom-move-attack = Attack
animal-kingdom-move-predict = Name the animal
animal-kingdom-move-follow = Follow
animal-kingdom-move-judge = Judge: points or none
animal-kingdom-move-rob = Rob
animal-kingdom-move-pass = Pass

animal-kingdom-event-dealt = Your animal: { $animal }
animal-kingdom-event-round_started = Round { $round } begins, worth { $value }.
animal-kingdom-event-chose = { $seat } has chosen.
animal-kingdom-event-chose-move = { $seat } has chosen.
animal-kingdom-event-moved = All have moved in round { $round }: { $fields }
animal-kingdom-event-gains = What each animal gained in round { $round }: { $gains }
animal-kingdom-event-gained = You gained { $gained } in round { $round }.
animal-kingdom-event-learned = { $target } is: { $animal }
animal-kingdom-event-game_over = The game is over. Who was who: { $animals }

animal-kingdom-word-none = none
animal-kingdom-word-true = gains points
animal-kingdom-word-false = gains nothing
animal-kingdom-word-forest = forest
animal-kingdom-word-plain = plain
animal-kingdom-word-river = river
animal-kingdom-word-sky = sky
animal-kingdom-word-lion = lion
animal-kingdom-word-crocodile = crocodile
animal-kingdom-word-eagle = eagle
animal-kingdom-word-snake = venomous snake
animal-kingdom-word-crow = crow
animal-kingdom-word-hyena = hyena
animal-kingdom-word-toad = toad
animal-kingdom-word-cuckoo = cuckoo
animal-kingdom-word-chameleon = chameleon
animal-kingdom-word-water_deer = water deer
animal-kingdom-word-predator = predator
animal-kingdom-word-neutral = neutral
animal-kingdom-word-prey = prey
animal-kingdom-word-leader = a single leader
animal-kingdom-word-round_limit = the last round was played
animal-kingdom-word-at_once = at once
animal-kingdom-word-at_end = at the end
animal-kingdom-word-attack = attack
animal-kingdom-word-follow = follow
animal-kingdom-word-go = go
animal-kingdom-word-judge = judge
animal-kingdom-word-pass = pass
animal-kingdom-word-predict = name the animal
animal-kingdom-word-rob = rob

animal-kingdom-board-value = At stake: { $value }
animal-kingdom-board-before = Where all were in round { $round }
animal-kingdom-board-choices = Choices
animal-kingdom-board-return = Away again means no points
animal-kingdom-board-field = Field chosen
animal-kingdom-board-skill = Skill chosen
animal-kingdom-board-points = Points by animal
animal-kingdom-board-moves = Where everybody was
animal-kingdom-board-round = Round { $round }

# In the hand.
animal-kingdom-tray-go = Where will you go?
animal-kingdom-tray-skill = Use your skill
animal-kingdom-tray-done = Your choice is made. All are shown together
animal-kingdom-tray-waiting = { $count ->
    [one] { $count } still to choose
   *[other] { $count } still to choose
}
animal-kingdom-tray-before = Last round:
animal-kingdom-tray-habitat = Home:
animal-kingdom-tray-no-habitat = No home
animal-kingdom-tray-who = Whom?
animal-kingdom-tray-which = Which animal?
animal-kingdom-tray-gains = This round this player
animal-kingdom-tray-must-pass = This time there is nobody whom you can choose.
animal-kingdom-tray-used = Already chosen
animal-kingdom-tray-skill-lion = Scores by attacking prey or the crocodile in its field.
animal-kingdom-tray-skill-crocodile = Scores by attacking prey or the eagle in its field.
animal-kingdom-tray-skill-eagle = Scores by attacking prey or the lion in its field.
animal-kingdom-tray-skill-snake = Scores by attacking a predator in its field, or when attacked.
animal-kingdom-tray-skill-crow = Scores by saying which animal somebody is, wherever they are.
animal-kingdom-tray-skill-hyena = Scores if the player it names scores, wherever they are.
animal-kingdom-tray-skill-toad = Scores by telling whether a player in its field scores.
animal-kingdom-tray-skill-cuckoo = Takes the points that a player in its field would score.
animal-kingdom-tray-skill-chameleon = Copies the skill of each other animal once.
animal-kingdom-tray-skill-water_deer = Wins alone if it has been in all four fields and was attacked less than twice.
animal-kingdom-tray-verb-attack = Attack
animal-kingdom-tray-verb-predict = Prediction
animal-kingdom-tray-verb-follow = Follow
animal-kingdom-tray-verb-judge = Guess
animal-kingdom-tray-verb-rob = Rob
