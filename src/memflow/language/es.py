"""Spanish cues."""

# ruff: noqa: E501 (related cues share a line)

from __future__ import annotations

from memflow.language.cues import CueWords

SPANISH = CueWords(
    code="es",
    rules={
        0.9: r"""
            es (?:obligatori[oa]|prohibid[oa]|necesari[oa])|obligatori[oa]s?
            (?:esta|estan|queda|quedan) (?:terminantemente )?(?:prohibid|permitid)[oa]s?|prohibid[oa]s?
            no (?:se )?(?:permite|puede|pueden|debe|deben)
            solo (?:se|puede|pueden|con|cuando|si|despues)|solamente (?:si|con|cuando)
            bajo ninguna circunstancia|en ningun caso|sin excepcion
            debes?|deben|debera|deberan|hay que
        """,
        0.7: r"""
            siempre|nunca|jamas
            tienes? que|tienen que|tenemos que|tengo que|necesitan? (?:permiso|autorizacion)
            a menos que|a no ser que|salvo|excepto
            reglas?|politica|norma|requisitos?|permitid[oa]s?
            como maximo|como minimo|al menos|por lo menos|no mas de|hasta \d+
            no (?:uses?|hagas|pongas|envies|menciones|dejes|abras|olvides)
        """,
        0.4: r"""
            es preciso|conviene|asegurate|de lo contrario|plazo
            todos los|todas las|cada|antes de|siempre que
        """,
    },
    changes={
        0.8: r"""
            ya no|deje de|pare de|abandone|renuncie
            solia|antes \w+aba|me mude|se mudo|nos mudamos|cambie|cambio de|pase (?:a|de)|paso (?:a|de)
            me volvi|me converti|me hice|empece|comence|entre (?:a|en) trabajar|sali de
            (?:fui|pase|paso|subio|bajo) de .{1,60} a|aument[eo]|disminui|disminuyo|reduje|subio
            en vez de|en lugar de|volvi (?:a|al)|de vuelta a|me ascendieron|reemplace|sustitui
            aplazad[oa]|cancelad[oa]|actualice|actualizado
        """,
        0.5: r"""
            ahora|actualmente|hoy en dia|finalmente|por fin|recientemente|ultimamente|hasta ahora
            desde|a partir de|acabo de|acabamos de|nuev[oa]|otr[oa]|alcance|llegue a|record
        """,
        0.3: r"""
            al principio|inicialmente|antes|despues|todavia|aun
            en (?:19|20)\d\d|en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto)
            en (?:septiembre|octubre|noviembre|diciembre)
            (?:semana|mes|ano) pasad[oa]|hace \w+ (?:dias|semanas|meses|anos)
        """,
    },
    values={
        0.6: r"""
            (?:es|son|era|esta|estan|cuesta|costo) (?:de |ahora )?[$€]?\d[\d.,:]*
            (?:tengo|tenemos|tenia|compre) (?:\w+ ){0,2}\d[\d.,:]*
            (?:vivo|trabajo|me mude) (?:en|a|para|como)
            (?:mi|mis) (?:\w+ ){1,4}(?:es|son)|se llama
        """,
        0.4: r"""
            soy|tengo|tenemos|uso|estoy (?:en|a)
            ahora|actualmente|acabo de|nuev[oa]
            dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|docena|mil
        """,
    },
)
