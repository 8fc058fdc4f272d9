"""English cues."""

# ruff: noqa: E501 (related cues share a line)

from __future__ import annotations

from memflow.language.cues import CueWords

ENGLISH = CueWords(
    code="en",
    rules={
        0.9: r"""
            must(?:n't| not)?
            (?:is|are|isn't|aren't|not|be|strictly) (?:allowed|permitted|required|prohibited|forbidden)
            prohibited|forbidden|mandatory|compulsory|obligatory
            required (?:to|by|for)
            under no circumstances|at all times|without exception|no exceptions?
            (?:may|can) (?:not|only)|can't be
            only (?:if|when|with|after|by|on|for|in|members|authori[sz]ed)
            (?:polic(?:y|ies)|regulations?|guidelines?) (?:is|are|states?|says?|require[sd]?|allows?)
            no \w+(?: \w+){0,2} (?:after|before|without|unless|during|past|on|in|inside|near|at)
        """,
        0.7: r"""
            (?<!i'm )(?<!i've )(?<!you're )always|never(?! mind)
            has to|(?<!\bi )have to(?! admit| say)|needs? (?:approval|permission|authori[sz]ation|to be)
            unless|except (?:for|when|if|on)
            (?<!\bi )(?:should|shall|ought to)(?:n't| not)?
            (?:do not|don't) (?:ever )?\w+
            rules?|laws?|polic(?:y|ies)|requirements?|required|allowed|permitted
            no more than|at most|limited to|maximum of|minimum of|at least \d+
        """,
        0.4: r"""
            need to|needs to|i have to|i should(?:n't| not)?|had to|make sure|be sure to|ensure
            not|only|every|before you|as long as|in case|otherwise|deadline|responsible for
            (?:if|when|whenever) \w+(?: \w+){0,5},
        """,
    },
    changes={
        0.8: r"""
            no longer|(?:not|n't) \w+(?: \w+){0,4} any ?more|any ?more|used to
            switch(?:ed|ing)?|upgrad(?:ed|ing)|downgrad(?:ed|ing)|replac(?:ed|ing)|convert(?:ed|ing)
            quit|gave up|stopped|dropped out|retired|resigned|cancel+ed|ended
            (?:went|gone|going|moved|changed|grew|rose|fell|dropped) from .{1,60} to
            (?:in|de)creased|reduced|raised|cut (?:back|down)|doubled|tripled
            moved|relocated|transferred|promoted|became|become|turned into
            chang(?:ed|ing)|adjusted|revised|updated|postponed|rescheduled|extended
            started|began|begun|took up|got into|joined|left
            back (?:to|on|into)|instead(?: of)?|rather than
        """,
        0.5: r"""
            now|currently|finally|already|so far|by now|these days|nowadays|lately|recently
            since|as of|until|from now on|just (?:got|started|bought|finished|moved|set|hit|reached)
            reached|hit|achieved|completed|finished|up to|down to|record|personal best
            new|another|latest|at this point|at the moment|more than before|progress(?:ed)?
            (?:got|getting|grown|become) (?:\w+ )?(?:better|worse|bigger|smaller|married|divorced)
        """,
        0.3: r"""
            at first|initially|originally|previously|before|earlier|then|later|after that|still
            in (?:19|20)\d\d|in (?:january|february|march|april|may|june|july|august)
            in (?:september|october|november|december)
            (?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter)
            \w+ (?:days|weeks|months|years) ago|for (?:the )?(?:past|last) \w+
        """,
    },
    values={
        0.6: r"""
            (?:is|are|was|were|'s|'m|'re|am) (?:now |currently |about |around |up to |only )?[$€£]?\d[\d.,:]*
            (?:have|has|had|own|got|'ve|'s) (?:\w+ ){0,2}[$€£]?\d[\d.,:]*
            (?:to|at|of|for|with|by|is) [$€£]?\d[\d.,:]*(?: ?%)?
            (?:live|lives|work|works|moved|switched|upgraded|changed|based) (?:in|at|for|to|with|from)
            my (?:\w+ ){1,4}(?:is|are|'s)|(?:is|are) my
            (?:named|called|titled)
        """,
        0.4: r"""
            i(?:'m| am) (?:a|an|the|in|at|on|from)|i (?:have|own|drive|use|play|take|study)
            we (?:have|own|use)|it(?:'s| is)|there (?:is|are)
            \d[\d.,:]*(?: ?(?:%|am|pm|km|miles|kg|pounds|hours?|minutes|dollars|euros|times|years?))?
            now|currently|just|already|so far|recently|new
            one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand
        """,
    },
)
